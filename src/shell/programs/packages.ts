/** Rules for package managers, build tools and static checkers. */

import type { Call } from "../context.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, shown } from "../values/argument.ts";
import { asksVersion, byRule, type Judge, refuse, runsCode } from "./rule.ts";

interface Manager {
  /** Subcommands that only tell. */
  readonly reads: RegExp;
  /** Subcommands that run code of the project or of packages. */
  readonly runs: RegExp;
  /** Arguments that are refused even where code may run. */
  readonly never?: RegExp;
  /** Runs code without a subcommand. */
  readonly bare?: boolean;
}

function manager({ reads, runs, never, bare = false }: Manager): Judge {
  return (call) => {
    if (asksVersion(call) || call.args.at(-1)?.text === "--version") return [];
    const dynamic = call.args.find(
      (each) =>
        !isLiteral(each) && each.origins.some((origin) => origin !== "listing" && origin !== "harmless"),
    );
    if (dynamic !== undefined)
      return reason("unknown-target", `only the run decides what \`${call.name}\` does`);
    const text = call.args.map((each) => each.text).join(" ");
    if (never?.test(` ${text}`) === true)
      return reason("dangerous-option", `\`${shown(`${call.name} ${text}`)}\` is not allowed`);
    if (call.args.length === 0) return bare ? runsCode(call) : [];
    const words = positional(call.args);
    if (call.args.length === 1 && (words === "run" || words === "run-script")) return []; // lists the scripts
    if (reads.test(words)) return byRule({ operands: "text", writes: ["-o", "--output"], short: "o" })(call);
    if (bare && !runs.test(words)) return runsCode(call, `${call.name} ${text}`);
    return runs.test(words)
      ? runsCode(call, `${call.name} ${text}`)
      : reason("unknown-option", `\`${shown(`${call.name} ${words}`)}\` is not known to be harmless`);
  };
}

/** Subcommands, in order. */
function positional(args: readonly Argument[]): string {
  return args
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("-"))
    .join(" ");
}

const SOURCES =
  /(--registry|--index-url|--extra-index-url|--find-links|--trusted-host|-i)[ =]|https?:\/\/|git\+|file:|--unsafe-perm|--script-shell|--prefix[ =]\/|--target[ =]\/|\bexec\b.*\bsh\b| -c |--call/;

const npm = manager({
  reads:
    /^(ls|list|ll|la|view|info|show|outdated|root|bin|prefix|why|explain|search|audit|help|config (get|list|ls)|get|fund|doctor|ping|whoami|pkg get|query|repo|docs|bugs|owner ls|dist-tag ls|version)?(?!\S)(?! fix)/,
  runs: /^(test|t|tst|run|run-script|start|stop|restart|install|i|ci|add|update|up|upgrade|rebuild|build|pack|exec|x|init|create|install-test|it|link|uninstall|remove|rm|dedupe|prune|audit fix|rum|urn|dlx|dev|lint|format|typecheck)\b/,
  never: SOURCES,
});

const yarn = manager({
  reads:
    /^(list|why|info|outdated|versions?|config (get|list)|workspaces (info|list)|licenses (list|ls)|check)\b/,
  runs: /.*/,
  never: / (publish|login|logout|config set|npm login|npm publish)\b|--registry/,
  bare: true,
});

const pip = manager({
  reads:
    /^(list|show|freeze|check|help|config (list|get)|search|index versions|debug|cache (dir|info|list)|inspect)\b/,
  runs: /^(install|download|wheel)\b/,
  never: SOURCES,
});

const cargo = manager({
  reads:
    /^(tree|search|metadata|fmt|version|help|pkgid|locate-project|verify-project|read-manifest|info|audit|outdated)\b/,
  runs: /^(build|b|test|t|run|r|check|c|bench|doc|clippy|clean|update|fetch|add|remove|new|init|nextest|generate-lockfile|vendor)\b/,
  never: /--git|--index|--registry|--config|\bpublish\b|\binstall\b|\blogin\b/,
});

const go = manager({
  reads: /^(version|env(?! -[wu])|list|doc|fmt|mod (graph|why|verify|edit -json)|help|tool|vet)\b/,
  runs: /^(build|test|run|generate|mod (tidy|download|vendor|init)|get|clean|work)\b/,
  never: /-exec\b|-toolexec|-overlay|\benv -w|\binstall\b|\brun [/h]|\bget \S*\/\//,
});

const terraform = manager({
  reads: /^(version|fmt|validate|providers|workspace (list|show)|graph|help)\b/,
  runs: /^(plan|init)\b/,
  never: /-plugin-dir|\b(apply|destroy|import|taint|state|output|force-unlock|console|login)\b/,
});

const docker: Judge = (call) => {
  if (asksVersion(call)) return [];
  const text = call.args.map((each) => each.text).join(" ");
  if (
    /(^| )(-H|--host|--context|-c|--config|--tlscacert)([ =]|$)/.test(
      text.split(/ (run|exec|build|compose|ps|logs) /)[0] ?? "",
    ) &&
    /^-/.test(text)
  )
    return reason("dangerous-option", "`docker` is pointed to another machine");
  if (
    /--privileged|--pid[ =]host|--net(work)?[ =]host|--userns[ =]host|--ipc[ =]host|--cap-add|--device|--security-opt|docker\.sock|(-v|--volume)[ =]?\/(\s|:|etc|root|var|home|proc|sys|usr|boot)|--mount\S* \S*(src|source)=\/|-u[ =]?root|--user[ =]?root|--volumes-from|--env-file/.test(
      text,
    )
  )
    return reason("privilege", "a container would get rights over the machine");
  if (/\.Config\.Env|\.Env\b/.test(text))
    return reason("reads-secret", "`docker inspect` shows the environment of a container");
  return manager({
    reads:
      /^(ps|images|logs|inspect|stats|top|port|history|version|info|diff|events|search|help|(volume|network|image|container|context|system|node|service|stack|secret) (ls|list|inspect|df|ps|logs|history)|compose (ps|logs|config|ls|images|top|version)|pull)\b/,
    runs: /^(run|exec|build|start|stop|restart|create|compose (up|run|exec|build|start|stop|restart|pull|down)|buildx build|container (run|exec|start|stop)|image build)\b/,
    never:
      /\b(push|login|cp|commit|save|load|import|export)\b|compose down.* (-v|--volumes|--rmi)|\bprune\b|\brm\b(?!\s*=)| rmi\b| context (create|use|update)/,
  })({ ...call, args: call.args.filter(({ text: each }) => each !== "--rm") });
};

const kubectl: Judge = (call) => {
  const text = call.args.map((each) => each.text).join(" ");
  if (
    /(^| )(--kubeconfig|--token|--as|--server|-s|--insecure-skip-tls-verify|--cluster|--user)([ =]|$)/.test(
      text,
    )
  )
    return reason("dangerous-option", "`kubectl` is pointed elsewhere or acts as somebody else");
  if (/\bsecrets?\b|--raw\b|\bserviceaccounts?\/token/.test(text))
    return reason("reads-secret", "`kubectl` shows secrets");
  return manager({
    reads:
      /^(get|describe|logs|top|version|explain|api-resources|api-versions|cluster-info|config (current-context|get-contexts|get-clusters|view)|rollout (status|history)|diff|auth can-i|options|help|events|wait)\b/,
    runs: /^$a/,
  })(call);
};

const CLOUD_READS =
  /^(--version|help|s3 ls|sts get-caller-identity|configure list|\S+ (describe|list)-[\w-]+)( |$)/;

const aws: Judge = (call) => {
  if (asksVersion(call)) return [];
  const text = call.args
    .map((each) => each.text)
    .filter(
      (each, at, all) =>
        !/^--(region|profile|output)$/.test(all[at - 1] ?? "") && !/^--(region|profile|output)/.test(each),
    )
    .join(" ");
  if (
    /secret|ssm|credential|password|--endpoint-url|--no-verify-ssl/.test(text) ||
    !call.args.every(isLiteral)
  )
    return reason("reads-secret", "`aws` shows secrets or is pointed elsewhere");
  return CLOUD_READS.test(text) ? [] : reason("changes-remote", "`aws` does more than list");
};

const gcloud: Judge = (call) => {
  const text = positional(call.args);
  if (/secret|auth|ssh|scp|keys/.test(text))
    return reason("reads-secret", "`gcloud` shows secrets or connects");
  return /(^version$|^info$| (list|describe)( |$)|^config (list|get-value))/.test(` ${text}`.trim())
    ? []
    : reason("changes-remote", "`gcloud` does more than list");
};

const gh: Judge = (call) => {
  if (asksVersion(call)) return [];
  const text = positional(call.args);
  if (
    call.args.some(({ text: each }) => each === "--web" || each === "-w") ||
    /^(auth token|secret|ssh-key|gpg-key)/.test(text)
  )
    return reason("reads-secret", "`gh` shows secrets or opens a browser");
  return /^(pr (list|view|status|diff|checks)|issue (list|view|status)|repo (view|list)|run (list|view|watch)|release (list|view)|workflow (list|view)|gist (list|view)|label list|search \w+|status|auth status|help)\b/.test(
    text,
  )
    ? []
    : reason("changes-remote", "`gh` does more than show");
};

const apt: Judge = (call) =>
  /^(list|show|search|policy|depends|rdepends|showpkg|madison|pkgnames|stats)$/.test(
    call.args.find(({ text }) => !text.startsWith("-"))?.text ?? "",
  ) && !call.args.some(({ text }) => /^(-o|--option|-c|--config-file)/.test(text))
    ? []
    : reason("privilege", `\`${call.name}\` changes the programs of the machine`);

const queries =
  (letters: RegExp): Judge =>
  (call) =>
    letters.test(call.args[0]?.text ?? "")
      ? []
      : reason("privilege", `\`${call.name}\` changes the programs of the machine`);

/** Programs that compile: they run no code of the project, but options make them run others. */
const compiler = byRule({
  short: "oIDLlWfmOUx",
  writes: ["-o"],
  text: ["-D", "-l", "-W", "-f", "-m", "-O", "-U", "-x", "-I", "-L"],
  deny: { "inline-code": ["-wrapper", "-specs", "-B"] },
  also: (call) =>
    call.args.some(({ text }) =>
      /^(-wrapper|-fplugin|-specs|-B|@|-Xclang|-load|-fuse-ld|-no-canonical-prefixes|-Wl,|-Wp,|-Wa,|--sysroot)/.test(
        text,
      ),
    )
      ? reason("inline-code", "a compiler is told to load or run something")
      : [],
});

const tsc = byRule({
  operands: "text",
  long: ["--project", "--outDir", "--target", "--module"],
  short: "p",
  text: ["--target", "--module"],
  writes: ["--outDir", "--outFile", "--declarationDir", "--tsBuildInfoFile"],
  also: (call) =>
    call.args.some(({ text }) => /^(--outDir|--outFile|--rootDir)/.test(text)) &&
    call.args.some(({ text }) => text.startsWith("/"))
      ? reason("writes-system", "`tsc` writes outside the working folder")
      : [],
});

/** Static checkers and formatters, which read or rewrite files of the project. */
const checker = byRule({
  operands: "read",
  deny: { "dangerous-option": ["--config", "-c", "--plugin", "--load-plugins"] },
});
const formatter = byRule({ operands: "write", writes: ["-o"] });

function project(call: Call): readonly Reason[] {
  if (asksVersion(call)) return [];
  const text = call.args.map((each) => each.text).join(" ");
  if (
    !call.args.every(
      (each) =>
        isLiteral(each) || each.origins.every((origin) => origin === "listing" || origin === "harmless"),
    )
  )
    return reason("unknown-target", `only the run decides what \`${call.name}\` does`);
  if (
    /(^| )(-f|--file|--makefile|-C|--directory|--project-dir)[ =]?(\/|~|\.\.|-( |$))|--eval|\/dev\/stdin|(^| )SHELL=|(^| )-c |https?:\/\//.test(
      text,
    )
  )
    return reason("inline-code", `\`${call.name}\` is told to run something else than the project`);
  return runsCode(call, `${call.name} ${text}`.trim());
}

const PROJECT_TOOLS =
  "make|gmake|ninja|cmake|ctest|meson|bazel|buck|gradle|gradlew|mvn|ant|sbt|lein|rake|bundle|rspec|jest|vitest|mocha|ava|tap|cypress|playwright|eslint|prettier|stylelint|webpack|rollup|vite|esbuild|parcel|next|nuxt|astro|turbo|nx|lerna|gulp|grunt|pytest|tox|nox|mypy|flake8|pylint|isort|coverage|phpunit|artisan|swift|xcodebuild|mix|rebar3|stack|cabal|dotnet|msbuild|pre-commit|ansible-playbook|vagrant|deno-task|just|task|invoke|fab|hatch|pdm|rye|django-admin|flask|uvicorn|gunicorn|nodemon|concurrently|storybook|husky|lint-staged|npm-run-all|rescript|elm|ng|vue|react-scripts|expo|hardhat|truffle|forge|javac|kotlinc|serverless|sls";

/** Judges of packages and tools by name. */
export const packagePrograms: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(PROJECT_TOOLS.split("|").map((name): [string, Judge] => [name, project])),
  npm,
  npx: (call) =>
    call.args.some(({ text }) => /^(-c|--call|-p|--package)/.test(text) || /^(https?:|git\+|\/)/.test(text))
      ? reason("inline-code", "`npx` runs code from elsewhere")
      : project(call),
  pnpx: project,
  bunx: project,
  yarn,
  pnpm: npm,
  bun: manager({
    reads: /^(pm ls|pm (hash|cache|bin)|outdated|why)\b/,
    runs: /.*/,
    never: / -e | --eval|https?:|\bpublish\b/,
    bare: false,
  }),
  deno: manager({
    reads: /^(info|lint|check|doc|fmt|types)\b/,
    runs: /^(test|task|run|bench|compile)\b/,
    never: /https?:|\beval\b|\binstall\b|-A\b/,
  }),
  pip,
  pip3: pip,
  pipx: manager({ reads: /^(list|environment)\b/, runs: /^run\b/ }),
  uv: manager({
    reads: /^(pip (list|show|freeze|check|tree)|tree|version|python list|cache dir|help)\b/,
    runs: /^(run|sync|lock|add|remove|init|venv|build|pip (install|sync|compile)|tool run)\b/,
    never: SOURCES,
  }),
  poetry: manager({
    reads: /^(show|check|version|env (info|list)|config --list|about|search)\b/,
    runs: /^(install|run|add|remove|update|lock|build|shell|init)\b/,
    never: /\bpublish\b|config \S+ \S/,
  }),
  conda: manager({ reads: /^(list|env list|info|search|config --show)\b/, runs: /^(activate|run)\b/ }),
  mamba: manager({ reads: /^(list|env list|info|search)\b/, runs: /^$a/ }),
  cargo,
  rustup: manager({ reads: /^(show|toolchain list|target list|component list|which|doc)\b/, runs: /^$a/ }),
  go,
  gem: manager({
    reads: /^(list|search|info|specification|which|environment|outdated|contents)\b/,
    runs: /^$a/,
  }),
  composer: manager({
    reads: /^(show|outdated|validate|licenses|why|depends|status|about|diagnose)\b/,
    runs: /^(install|update|run|test|dump-autoload|require)\b/,
    never: /\bglobal\b/,
  }),
  brew: manager({
    reads: /^(list|ls|info|search|outdated|deps|leaves|config|doctor|uses|desc)\b/,
    runs: /^$a/,
  }),
  apt,
  "apt-get": refuse("privilege", "changes the programs of the machine"),
  "apt-cache": apt,
  aptitude: apt,
  dpkg: queries(
    /^(-l|-L|-s|-S|-p|--list|--listfiles|--status|--search|--get-selections|--print-architecture|--version|-c|-I)$/,
  ),
  "dpkg-query": queries(/^(-l|-L|-s|-S|-W|--show|--list)/),
  rpm: queries(/^(-q[a-z]*|--query|--version)$/),
  yum: queries(/^(list|info|search|repolist)$/),
  dnf: queries(/^(list|info|search|repolist)$/),
  pacman: queries(/^-Q[a-z]*$/),
  apk: queries(/^(info|list|search)$/),
  snap: queries(/^(list|info|find)$/),
  flatpak: queries(/^(list|info|search)$/),
  nvm: queries(/^(ls|list|current|version|which)$/),
  terraform,
  tofu: terraform,
  helm: manager({
    reads:
      /^(list|ls|status|history|version|show|search|get (values|notes|manifest)|repo list|template|lint|env)\b/,
    runs: /^$a/,
    never: /--post-renderer|--kubeconfig/,
  }),
  docker,
  podman: docker,
  "docker-compose": (call) =>
    docker({
      ...call,
      name: "docker",
      args: [{ text: "compose", origins: [], variables: [] }, ...call.args],
    }),
  kubectl,
  k: kubectl,
  aws,
  gcloud,
  gh,
  gcc: compiler,
  "g++": compiler,
  cc: compiler,
  "c++": compiler,
  clang: compiler,
  "clang++": compiler,
  rustc: (call) => (asksVersion(call) ? [] : runsCode(call)),
  tsc,
  ruff: manager({ reads: /^(check|format|version|rule|linter|clean|help)?/, runs: /^$a/ }),
  black: formatter,
  gofmt: formatter,
  goimports: formatter,
  rustfmt: formatter,
  "clang-format": formatter,
  shfmt: formatter,
  autopep8: formatter,
  yapf: formatter,
  shellcheck: checker,
  actionlint: checker,
  bandit: checker,
  semgrep: (call) => (asksVersion(call) ? [] : runsCode(call)),
  nm: byRule({}),
  objdump: byRule({ short: "jM" }),
  readelf: byRule({}),
  ldd: (call) => runsCode(call),
  size: byRule({}),
  protoc: (call) => (asksVersion(call) ? [] : runsCode(call)),
};
