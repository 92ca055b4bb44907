import java.io.File;
import java.util.HashSet;
import java.util.Set;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.model.OWLAxiom;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.model.OWLOntologyManager;
import org.semanticweb.owlapi.profiles.OWL2DLProfile;

/** Reads ontologies with the OWL API. Of each file: in which syntax it is, how many axioms it has, whether it is OWL 2 DL, and whether it says the same as the first of its row. Each argument is a row of files, with commas between them. */
public class ReadOntologies {
  public static void main(String[] rows) throws Exception {
    for (String row : rows) {
      Set<OWLAxiom> first = null;
      for (String file : row.split(",")) {
        OWLOntologyManager manager = OWLManager.createOWLOntologyManager();
        OWLOntology ontology = manager.loadOntologyFromOntologyDocument(new File(file));
        // RDF cannot say an axiom twice, with an annotation and without.
        Set<OWLAxiom> said = new HashSet<>();
        for (OWLAxiom axiom : ontology.getAxioms()) said.add(axiom.getAxiomWithoutAnnotations());
        if (first == null) first = said;
        System.out.println(String.join("\t",
            String.valueOf(manager.getOntologyFormat(ontology)),
            String.valueOf(ontology.getAxiomCount()),
            String.valueOf(new OWL2DLProfile().checkOntology(ontology).isInProfile()),
            String.valueOf(said.equals(first))));
      }
    }
  }
}
