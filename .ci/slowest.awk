# Prints the ten slowest tests with their seconds.
#
# Reads lines `SECOND<tab>LINE` of `cargo test`, where SECOND is when LINE was printed. Stable Rust
# prints no times of tests, but a test program starts its tests in the order of their names, one as
# soon as another ends, so that the times at which tests end also tell when the others start.
BEGIN { FS = "\t" }
$2 ~ /^running [0-9]+ tests?$/ { begun = $1; count = 0 }
$2 ~ /^test .* \.\.\. / {
    name = substr($2, 6)
    sub(/ \.\.\. .*/, "", name)
    ended[++count] = name
    end[count] = $1
}
$2 ~ /^test result: / { settle() }
END {
    for (i = 1; i <= 10 && i <= kept; i++) printf "slow: %4d s  %s\n", seconds[i], test[i]
}

# Finds when each test of a program began.
function settle(    i, j, name, next_, start) {
    for (i = 1; i <= count; i++) {
        name = ended[i]
        for (j = i - 1; j > 0 && sorted[j] > name; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = name
    }
    for (next_ = 1; next_ <= threads && next_ <= count; next_++) start[sorted[next_]] = begun
    for (i = 1; i <= count; i++) {
        if (next_ <= count) start[sorted[next_++]] = end[i]
        keep(end[i] - start[ended[i]], ended[i])
    }
    count = 0
}

# Keeps a test among the slowest, the slowest first.
function keep(took, name,    i) {
    for (i = kept < 10 ? ++kept : 11; i > 1 && took > seconds[i - 1]; i--) {
        seconds[i] = seconds[i - 1]
        test[i] = test[i - 1]
    }
    if (i <= 10) { seconds[i] = took; test[i] = name }
}
