/*
 * The log of one kernel in a SQLite file, as src/ledger/sqlite/ledger.ts appends to it: in turn under the write lock of the
 * file, or ahead with one statement that the schema refuses unless it follows the last entry. A process can be killed at any
 * instant; a commit can report an error although it reached the disk.
 *
 *   T1      at no moment does the log hold more allowed steps than the budget has
 *   once    no command has two entries in the log
 *   kept    an entry that a caller was told of stays at its place
 *
 * Left out: power cuts, several kernels in one file, batches of several commands, and all that the kernel decides beyond
 * "is there budget left", which is the matter of proofs/kernel.
 */
#ifndef N
#define N 3            /* processes that write */
#endif
#ifndef CMDS
#define CMDS 2         /* commands of each */
#endif
#ifndef LIMIT
#define LIMIT 2        /* steps that the budget allows */
#endif
#ifndef KILLS
#define KILLS 2
#endif
#ifndef ERRORS
#define ERRORS 2       /* commits that report an error */
#endif
#define MAXLEN (N*CMDS+1)
#define FREE 255

byte cmdOf[MAXLEN]; bool allowed[MAXLEN];
byte total = 0;        /* entries in the file */
byte lock = FREE;      /* the process that writes */
byte kills = 0, errors = 0;
bool toldAt[MAXLEN]; byte toldCmd[MAXLEN];

inline checkLog() {
  d_step {
    byte i_ = 0, j_ = 0, n_ = 0;
    do :: i_ < total -> if :: allowed[i_] -> n_++ :: else fi;
            j_ = i_ + 1;
            do :: j_ < total -> assert(cmdOf[i_] != cmdOf[j_]); j_++ :: else -> break od;   /* once */
            i_++
       :: else -> break od;
    assert(n_ <= LIMIT);                                                                   /* T1 */
    i_ = 0;
    do :: i_ < MAXLEN -> assert(!toldAt[i_] || (i_ < total && cmdOf[i_] == toldCmd[i_])); i_++   /* kept */
       :: else -> break od;
    i_ = 0; j_ = 0; n_ = 0
  }
}

inline tell(place, c) { d_step { toldAt[place] = true; toldCmd[place] = c } }

inline decide(upto, result) {
  d_step {
    byte m_ = 0, s_ = 0;
    do :: m_ < upto -> if :: allowed[m_] -> s_++ :: else fi; m_++ :: else -> break od;
    result = (s_ < LIMIT); m_ = 0; s_ = 0
  }
}

inline append(c, ok) { cmdOf[total] = c; allowed[total] = ok; total++ }

/* A process that is killed loses its transaction; the lock is the operating system's, so it is released. */
inline mayDie() {
  if
  :: skip
  :: atomic { kills < KILLS -> kills++; if :: lock == me -> lock = FREE :: else fi; goto dead }
  fi
}

proctype Writer(byte me) {
  byte cmd = 0, known = 0, seen, where;
  bool ok, doubt = false, isKnown = false, there;
  do
  :: cmd < CMDS ->
again:
     if
     :: isKnown && !doubt ->                       /* ahead: decided on the known entries, one statement */
        atomic { decide(known, ok); seen = known }
        mayDie();
        atomic {
          if
#ifdef NO_CHECK_AHEAD                              /* a fault on purpose: the schema takes an entry at any place */
          :: lock == FREE -> append(me * CMDS + cmd + 1, ok); checkLog(); known = total; tell(total - 1, me * CMDS + cmd + 1); goto done
#else
          :: lock == FREE && seen == total ->
             append(me * CMDS + cmd + 1, ok); checkLog();
             if
             :: known = total; tell(total - 1, me * CMDS + cmd + 1); goto done
             :: errors < ERRORS -> errors++; doubt = true; isKnown = false; goto again      /* kept, and told as an error */
             fi
          :: lock == FREE && seen != total -> isKnown = false; goto again
          :: lock == FREE && errors < ERRORS -> errors++; doubt = true; isKnown = false; goto again  /* not kept */
          :: lock != FREE -> isKnown = false; goto again
#endif
          fi
        }
     :: true ->                                    /* in turn */
#ifdef READ_BEFORE_LOCK                            /* a fault on purpose: decided on what was read before the lock */
        atomic { decide(total, ok); seen = total }
        mayDie();
        atomic { (lock == FREE) -> lock = me }
#else
        atomic { (lock == FREE) -> lock = me; decide(total, ok); seen = total }
#endif
        mayDie();
        if
        :: doubt ->                                /* look for the own entry first */
           atomic {
             there = false; where = 0;
             do :: where < total -> if :: cmdOf[where] == me * CMDS + cmd + 1 -> there = true; break :: else -> where++ fi
                :: else -> break od;
             doubt = false;
#ifdef NO_LOOK                                     /* a fault on purpose: a command in doubt is simply tried again */
             there = false;
#endif
             if :: there -> lock = FREE; tell(where, me * CMDS + cmd + 1); where = 0; goto done :: else -> where = 0 fi
           }
        :: else
        fi;
#ifdef TELL_BEFORE_COMMIT                          /* a fault on purpose */
        atomic { tell(total, me * CMDS + cmd + 1) }
        mayDie();
#endif
        atomic {
          if
          :: append(me * CMDS + cmd + 1, ok); checkLog(); lock = FREE; known = total; isKnown = true;
             tell(total - 1, me * CMDS + cmd + 1)
          :: errors < ERRORS -> errors++; append(me * CMDS + cmd + 1, ok); checkLog(); lock = FREE; doubt = true; isKnown = false; goto again
          :: errors < ERRORS -> errors++; lock = FREE; doubt = true; isKnown = false; goto again
          fi
        }
     fi;
done: atomic { cmd++; ok = false; seen = 0; there = false; checkLog() }
  :: else -> break
  od;
dead: atomic { checkLog() }
}

init { byte p = 0; atomic { do :: p < N -> run Writer(p); p++ :: else -> break od } }
