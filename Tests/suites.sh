# For scripts that run several suites: `. Tests/suites.sh`, then `suite` for each and
# `sum_up` at the end. The caller sets `logs`, a folder.
passed=0 failed=0 skipped=0

# What is tested does not depend on the switches of whoever starts it (PYTHONUNBUFFERED and others).
unset "${!PYTHON@}"

# What this shell's commands that have ended have spent: $spent seconds, of all processors together.
read_spent() {
    local file=$logs/times-$BASHPID
    times >"$file"
    spent=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + .5) }' \
            "$file")
    rm "$file"
}

# show NAME COMMAND…: runs a suite. Whoever waits for all of them wants to know which to shorten,
# and which leaves processors idle, so each says how long it took and what it has spent.
show() {
    local name=$1 begun=$SECONDS spent before
    shift
    read_spent
    before=$spent
    echo "== $name"
    "$@" 2>&1 | tee "$logs/test-$name.log" | grep -vE "^(pass|ok) " || true
    read_spent
    echo "$name: $((SECONDS - begun)) s, processors $((spent - before)) s"
}

# count NAME: the last line of the form "… N passed, N failed, N skipped" in a suite's log.
count() {
    local line
    line=$(grep -oE "[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped" "$logs/test-$1.log" | tail -n 1)
    if [ -z "$line" ]; then
        echo "$1: ended without a result"
        failed=$((failed + 1))
        return
    fi
    set -- $line
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

suite() {
    show "$@"
    count "$1"
}

# beside NAME COMMAND…: starts a suite that takes what the following ones leave of the processors.
# finish NAME: waits for it, and shows what it has printed. It has a process group of its own, which
# ends with this shell: commands that a script starts with & would ignore ^C, and so would tests.
declare -A beside
beside() {
    set -m
    show "$1" nice -n 5 "${@:2}" >"$logs/beside-$1.out" 2>&1 &
    set +m
    beside[$1]=$!
    trap end_others EXIT
}
end_others() {
    kill -- "${beside[@]/#/-}" ${SB_IDLE_WORK:+-$SB_IDLE_WORK} 2>/dev/null
    kill -CONT -- ${SB_IDLE_WORK:+-$SB_IDLE_WORK} 2>/dev/null
}

finish() {
    wait "${beside[$1]}"
    unset "beside[$1]"
    cat "$logs/beside-$1.out"
    rm "$logs/beside-$1.out"
    count "$1"
}

# idle COMMAND…: starts something for the time in which the following suites leave processors idle.
# They don't notice: it has a session of its own, as each test has, and between sessions that of the
# least weight has what is left. Tests that say ALONE stop it meanwhile (side_by_side.py).
# idle_ended: waits for it, and what it printed is in $logs/idle.out.
idle() {
    setsid bash -c 'echo 19 >/proc/self/autogroup; exec nice -n 19 "$@"' idle "$@" \
        >"$logs/idle.out" 2>&1 </dev/null &
    export SB_IDLE_WORK=$!
    trap end_others EXIT
}

idle_ended() {
    wait "$SB_IDLE_WORK"
    unset SB_IDLE_WORK
}

# The last line of the output, and the exit code.
sum_up() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
