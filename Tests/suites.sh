# For scripts that run several suites: `. Tests/suites.sh`, then `suite` for each and
# `sum_up` at the end. The caller sets `logs`, a folder.
passed=0 failed=0 skipped=0

# suite NAME COMMAND…: its last line of the form "… N passed, N failed, N skipped" counts.
# Whoever waits for all of them wants to know which to shorten, so each says how long it took.
suite() {
    local name=$1 begun=$SECONDS line
    shift
    echo "== $name"
    "$@" 2>&1 | tee "$logs/test-$name.log" | grep -vE "^(pass|ok) " || true
    echo "$name: $((SECONDS - begun)) s"
    line=$(grep -oE "[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped" "$logs/test-$name.log" | tail -n 1)
    if [ -z "$line" ]; then
        echo "$name: ended without a result"
        failed=$((failed + 1))
        return
    fi
    set -- $line
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

# The last line of the output, and the exit code.
sum_up() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
