/*
 * Workers that carry out approved runs, as src/app/worker, src/approve/requests/queue.ts and src/run/program do it: a queue gives
 * runs out by lease, the kernel has a reservation for each run and for each call, and each run holds one fluent that all of
 * them use. A worker can die at any instant, and any lease can be over at any instant, also that of a worker which is only slow.
 *
 *   once    no call is made twice
 *   alone   at no moment have two runs begun on the fluent, and neither has an outcome
 *   whole   a run that has ended has made each of its calls
 *   lost    no run is left behind: the search finds every state in which nothing can happen although a run has not ended
 *
 * The kernel decides one command at a time: that is the matter of the other two models. A person resolves a call in doubt, and
 * tells the truth about it.
 * Left out: several queues, calls at the same time, calls that may be repeated, budgets, and receipts that expire.
 */
#ifndef W
#define W 2            /* workers */
#endif
#ifndef R
#define R 2            /* runs */
#endif
#ifndef K
#define K 1            /* calls of each */
#endif
#ifndef DEATHS
#define DEATHS 1
#endif
#ifndef LAPSES
#define LAPSES 1       /* leases of the queue that are over although their worker lives */
#endif
#ifndef OVER
#define OVER 1         /* holds of fluents whose lease is over */
#endif

#define NOBODY 255
#define DEAD 254       /* the lease of a worker that died */

/* The queue. */
#define READY 0
#define DOUBT 1
#define ENDED 2
byte state[R];
byte leaseBy[R];

/* The kernel: the reservation of each run, its place among them, whether its lease is over; the reservation of each call. */
#define NONE 0
#define PENDING 1
#define SETTLED 2
byte use[R]; byte place[R]; bool over[R]; byte places = 0;
byte call[R*K];

/* The world: how often each call was made, whether a worker is in it, whether a run has begun. */
byte made[R*K]; byte inCall[R*K]; bool begun[R];

byte deaths = 0, lapses = 0, overs = 0;

#define all_ended (state[0] == ENDED && state[R-1] == ENDED)

inline checkAlone() {
  d_step {
    byte a_ = 0, n_ = 0;
    do :: a_ < R -> if :: begun[a_] && use[a_] == PENDING -> n_++ :: else fi; a_++ :: else -> break od;
    assert(n_ <= 1);                                                                /* alone */
    a_ = 0; n_ = 0
  }
}

/* Another run has a reservation without an outcome, made before that of this run if this one has any. */
inline lookAtOthers(r) {
  d_step {
    byte q_ = 0; found = false;
    do :: q_ < R -> if :: q_ != r && use[q_] == PENDING && (use[r] != PENDING || place[q_] < place[r]) -> found = true :: else fi; q_++
       :: else -> break od;
    q_ = 0
  }
}

/* The kernel's own check: a hold keeps others out as long as its lease lasts. */
inline lookAtHolds(r) {
  d_step {
    byte h_ = 0; found = false;
    do :: h_ < R -> if :: h_ != r && use[h_] == PENDING && !over[h_] -> found = true :: else fi; h_++ :: else -> break od;
    h_ = 0
  }
}

inline leave(r, to) {
  atomic { if :: leaseBy[r] == me && state[r] != ENDED -> state[r] = to; leaseBy[r] = NOBODY :: else fi }
}

/* A worker that dies starts again and knows nothing. Its leases stay until they are over. */
inline mayDie() {
  if
  :: skip
  :: atomic { deaths < DEATHS -> deaths++;
       d_step { byte d_ = 0; do :: d_ < R -> if :: leaseBy[d_] == me -> leaseBy[d_] = DEAD :: else fi; d_++ :: else -> break od; d_ = 0;
         if :: mine != NOBODY && inCall[mine] > 0 && isIn -> inCall[mine]-- :: else fi; isIn = false; mine = NOBODY };
       goto start }
  fi
}

proctype Worker(byte me) {
  byte r = 0, k = 0, mine = NOBODY;
  bool resumes, found, wasInDoubt, isIn = false;
  byte then[K];                       /* each call, as the trace had it when this worker read it */
start:
  do
  :: atomic { all_ended -> break }
  :: atomic {                         /* take a run */
       r = 0;
       do :: r < R && !(state[r] != ENDED && leaseBy[r] == NOBODY) -> r++ :: else -> break od;
       if :: r < R :: else -> r = 0; goto idle fi;
       leaseBy[r] = me; wasInDoubt = (state[r] == DOUBT)
     }
     mayDie();
     atomic {                         /* read the trace */
       resumes = (use[r] == PENDING);
       k = 0; do :: k < K -> then[k] = call[r*K+k]; k++ :: else -> break od; k = 0
     }
     if
     :: use[r] == SETTLED -> leave(r, ENDED); goto next
     :: else
     fi;
     if
     :: !resumes ->
#ifndef LEASE_ADMITS                  /* a fault on purpose: a hold whose lease is over admits others */
        lookAtOthers(r);
        if :: found -> leave(r, READY); goto next :: else fi;
#endif
        mayDie();
        atomic {                      /* use the receipt: one reservation, whose key is taken once */
          lookAtHolds(r);
          if
          :: use[r] != NONE || found -> found = true
          :: else -> use[r] = PENDING; over[r] = false; place[r] = places; places++
          fi
        }
        if :: found -> leave(r, READY); goto next :: else fi;
        mayDie()
     :: else
     fi;
#if !defined(LEASE_ADMITS) && !defined(NO_LOOK_AFTER)
#ifdef NO_LOOK_ON_RESUME              /* a fault on purpose: a run that is resumed is not looked at again */
     if :: resumes -> found = false :: else -> lookAtOthers(r) fi;
#else
     lookAtOthers(r);
#endif
     if
     :: found && !resumes -> atomic { use[r] = NONE }; leave(r, READY); goto next
     :: found && resumes -> leave(r, READY); goto next
     :: else
     fi;
#endif
     atomic { begun[r] = true; checkAlone() }
     k = 0;
     do
     :: k < K ->
        if
        :: then[k] == SETTLED -> goto one                   /* recorded: not made again */
        :: then[k] == PENDING -> leave(r, DOUBT); goto next /* nobody knows whether it was made */
        :: else
        fi;
        atomic {                                            /* reserve the call: its key is taken once */
#ifdef NO_KEY                                               /* a fault on purpose: the key of a call is that of its worker */
          call[r*K+k] = PENDING; found = false;
#else
          found = (call[r*K+k] != NONE);
          if :: found :: else -> call[r*K+k] = PENDING fi;
#endif
          if :: found :: else -> mine = r*K+k; inCall[mine]++; isIn = true fi
        }
        if :: found -> leave(r, DOUBT); goto next :: else fi;
        mayDie();
        atomic { made[mine]++; assert(made[mine] <= 1) }    /* once */
        mayDie();
        atomic { inCall[mine]--; isIn = false; if :: call[mine] == PENDING -> call[mine] = SETTLED :: else fi; mine = NOBODY }
        mayDie();
one:    k++
     :: else -> break
     od;
     atomic { if :: use[r] == PENDING -> use[r] = SETTLED; begun[r] = false :: else fi }
     mayDie();
     leave(r, ENDED);
next: atomic { resumes = false; found = false; wasInDoubt = false; k = 0; r = 0;
        do :: k < K -> then[k] = NONE; k++ :: else -> break od; k = 0 }
     goto start;
idle: /* until there is a run to take */
     atomic { (all_ended || (state[0] != ENDED && leaseBy[0] == NOBODY) || (state[R-1] != ENDED && leaseBy[R-1] == NOBODY)) -> goto start }
  od
}

/* A person resolves a call in doubt that nobody is in, by looking at the world. */
#define RESOLVES(i) (i < R*K && state[i/K] == DOUBT && call[i] == PENDING && inCall[i] == 0)
#define resolve(i) if :: made[i] > 0 -> call[i] = SETTLED :: else -> call[i] = NONE fi

/* Leases that are over, and the person. */
proctype World() {
  do
  :: atomic { all_ended -> break }
#ifndef LEASES_FOR_EVER               /* a fault on purpose: the lease of a worker that died is never over */
  :: atomic { leaseBy[0] == DEAD -> leaseBy[0] = NOBODY }
  :: atomic { leaseBy[R-1] == DEAD -> leaseBy[R-1] = NOBODY }
#endif
  :: atomic { lapses < LAPSES && leaseBy[0] < W -> lapses++; leaseBy[0] = NOBODY }
  :: atomic { lapses < LAPSES && leaseBy[R-1] < W -> lapses++; leaseBy[R-1] = NOBODY }
  :: atomic { overs < OVER && use[0] == PENDING && !over[0] -> overs++; over[0] = true }
  :: atomic { overs < OVER && use[R-1] == PENDING && !over[R-1] -> overs++; over[R-1] = true }
  :: atomic { RESOLVES(0) -> resolve(0) }
#if R*K > 1
  :: atomic { RESOLVES(1) -> resolve(1) }
#endif
#if R*K > 2
#error "a person resolves two calls here"
#endif
  od
}

/* Once all runs have ended, each of them has made each of its calls. */
active proctype Whole() {
  byte c = 0;
  atomic {
    all_ended;
    do :: c < R*K -> assert(made[c] == 1 && call[c] == SETTLED); c++ :: else -> break od          /* whole */
  }
}

init {
  byte p = 0;
  atomic {
    do :: p < R -> leaseBy[p] = NOBODY; p++ :: else -> break od;
    p = 0; do :: p < W -> run Worker(p); p++ :: else -> break od;
    run World()
  }
}
