# shellcheck shell=bash
# Runs the steps of ./test one after the other, keeps their logs, and adds up what their runners counted.
# Sourced; needs common.sh.

ARTIFACTS=$ROOT/.artifacts # the full log of every step; git-ignored
PASSED=0                   # over all steps
FAILED=0
SKIPPED=0                  # checks that cannot be run on this machine
STEP_GROUP=''              # the process group of the running step

# A step that hangs is ended after this many seconds: long enough to compile everything on a small machine.
LONG_STEP_SECONDS=${STEP_SECONDS:-86400} # with the long runs
STEP_SECONDS=${STEP_SECONDS:-3600}

# check NAME LABEL COMMAND...: a static check; it counts as one test.
check() {
  local name=$1 status
  start_step "$@"
  shift 2
  run_logged "$name" "$@" && status=0 || status=$?
  if [ "$status" = 0 ]; then
    PASSED=$((PASSED + 1))
    end_step ok ''
  else
    fail_step "$name" 1 "ended with status $status"
  fi
}

# build NAME LABEL COMMAND...: what the tests need; it counts only when it fails.
build() {
  local name=$1 status
  start_step "$@"
  shift 2
  run_logged "$name" "$@" && status=0 || status=$?
  if [ "$status" = 0 ]; then
    end_step ok ''
  else
    fail_step "$name" 1 "ended with status $status"
  fi
  return "$status"
}

# tests NAME LABEL COMMAND...: a test runner, whose own counts are added. A runner that fails without a failed test (it did not
# compile, say), or that shows no count, is one failure more.
tests() {
  local name=$1 status passed failed skipped text
  start_step "$@"
  shift 2
  run_logged "$name" "$@" && status=0 || status=$?
  read -r passed failed skipped < <(counts "$ARTIFACTS/$name.log")
  PASSED=$((PASSED + passed))
  text="$passed passed, $failed failed"
  [ "$skipped" = 0 ] || text="$text, $skipped skipped"
  if [ "$failed" != 0 ]; then
    fail_step "$name" "$failed" "$text"
  elif [ "$status" != 0 ]; then
    fail_step "$name" 1 "$text, but it ended with status $status"
  elif [ "$passed" = 0 ]; then
    fail_step "$name" 1 'its counts could not be read'
  else
    end_step ok "$text"
  fi
}

# shown NAME COMMAND...: a test runner that is watched: its output goes to the terminal, and to NAME's log, whose counts are added.
shown() {
  local name=$1 status passed failed skipped
  shift
  "$@" 2>&1 </dev/null | tee "$ARTIFACTS/$name.log" | without_empty && status=0 || status=$?
  read -r passed failed skipped < <(counts "$ARTIFACTS/$name.log")
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  if [ "$failed" = 0 ] && [ "$status" != 0 ]; then
    FAILED=$((FAILED + 1))
  elif [ "$passed$failed" = 00 ]; then
    say "no test was run ($skipped skipped)"
    FAILED=$((FAILED + 1))
  fi
}

# without_empty: leaves out what cargo says of the many programs of tests that have none of that name.
without_empty() {
  awk '
    /^running 0 tests$/ { empty = 1; next }
    empty && /^test result: ok\. 0 passed/ { empty = 0; next }
    /^$/ { next }
    { print; fflush() }'
}

# impossible NAME LABEL REASON: a step that cannot be run; one failure.
impossible() {
  start_step "$1" "$2"
  FAILED=$((FAILED + 1))
  end_step FAILED "$3"
}

# lacks LABEL REASON: a check that cannot be run because a package is missing. A failure where CI was set, because nobody would notice there.
lacks() {
  if [ -n "${IN_CI:-}" ]; then
    impossible missing "$1" "$2"
  else
    skip "$1" "$2"
  fi
}

# skip LABEL REASON: a check that cannot be run here, and need not be everywhere. It is neither passed nor failed.
skip() {
  SKIPPED=$((SKIPPED + 1))
  printf '  %-46s%s\n' "$1" "skipped: $2"
}

# uncolored [FILE]: without terminal colors, which some runners also write into files.
uncolored() {
  local escape
  escape=$(printf '\033')
  LC_ALL=C sed -E "s/$escape(\\[[0-9;]*m|\\(B)//g" "$@"
}

# counts LOG: 'passed failed skipped', summed over everything in the log that is a total of cargo test, node:test (TAP or spec
# reporter) or Vitest. What was cancelled has failed.
counts() {
  uncolored "$1" | LC_ALL=C awk '
    function add(number, word) {
      if (word ~ /^passed/) passed += number
      else if (word ~ /^failed/) failed += number
      else if (word ~ /^(skipped|ignored|todo)/) skipped += number
    }
    # test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s
    # A column of Vitest:       Tests  2 failed | 10 passed | 1 skipped (13)
    /^test result: / || /^ *Tests +[0-9]+ / { for (i = 2; i <= NF; i++) if ($(i - 1) ~ /^[0-9]+$/) add($(i - 1), $i) }
    # "# pass 12" in TAP; the spec reporter has an information sign for the hash
    NF == 3 && $3 ~ /^[0-9]+$/ && ($1 == "#" || $1 == "\342\204\271") {
      if ($2 == "pass") passed += $3
      else if ($2 == "fail" || $2 == "cancelled") failed += $3
      else if ($2 == "skipped" || $2 == "todo") skipped += $3
    }
    END { print passed + 0, failed + 0, skipped + 0 }'
}

# run_logged NAME COMMAND...: runs it without input in a process group of its own, with all output in NAME's log, and ends
# whatever it leaves behind.
run_logged() {
  local log=$ARTIFACTS/$1.log status limit=$((SECONDS + STEP_SECONDS)) pid
  shift
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  set +m
  STEP_GROUP=$pid
  # Not a plain wait: so a signal to this script is handled at once, and a step that hangs is ended.
  while kill -0 "$pid" 2>/dev/null; do
    if [ "$SECONDS" -ge "$limit" ]; then
      echo "Ended after $STEP_SECONDS seconds." >>"$log"
      end_group
      return 124
    fi
    sleep 0.1
  done
  wait "$pid" && status=0 || status=$?
  end_group
  return "$status"
}

# end_group: ends every process of the running step.
end_group() {
  local group=$STEP_GROUP tries
  [ -n "$group" ] || return 0
  kill -- "-$group" 2>/dev/null || true
  for ((tries = 0; tries < 50; tries++)); do
    kill -0 -- "-$group" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 -- "-$group" 2>/dev/null || true
  STEP_GROUP=''
}

start_step() {
  STEP_SINCE=$SECONDS
  printf '  %-46s' "$2"
}

# end_step VERDICT TEXT: completes the line that start_step began.
end_step() {
  local color=$GREEN
  [ "$1" = ok ] || color=$RED
  printf '%s%-7s%s %6s  %s\n' "$color" "$1" "$PLAIN" "$(duration $((SECONDS - STEP_SINCE)))" "$2"
}

# fail_step NAME COUNT TEXT: completes the line, and shows which tests failed and the end of the log.
fail_step() {
  local log=$ARTIFACTS/$1.log
  FAILED=$((FAILED + $2))
  end_step FAILED "$3"
  # As cargo test, node:test (TAP, spec) and Vitest mark them.
  uncolored "$log" | grep -E '^test .* FAILED$|^ *not ok [0-9]|^ *(✖|×|FAIL) ' | sed -n '1,20s/^/    /p' || true
  # What a test says stands above its backtrace, which can be longer than the end of the log.
  uncolored "$log" | grep -A 4 -E '^thread .* panicked at ' | sed -n '1,40s/^/    /p' || true
  printf '\n%s\n' "$DIM    The end of .artifacts/$1.log:$PLAIN"
  tail -n 60 "$log" | uncolored | sed 's/^/    /'
  echo
}

duration() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)):$(printf '%02d' $(($1 % 60))) min"; fi
}
