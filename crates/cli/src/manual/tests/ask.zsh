# Prints what zsh proposes at the end of a line: the arguments are a folder, in which the function
# _performance-prophet is, and the line.
zmodload zsh/zpty zsh/zselect

# Waits until the other shell has printed a word.
await() {
    local part
    text=
    repeat 3000; do
        while zpty -r -t shell part; do
            text+=$part
        done
        if [[ $text == *$1* ]]; then
            return
        fi
        zselect -t 1
    done
    print -u2 -r -- "no $1 in: $text"
    exit 1
}

# The other shell prints what is added; with -O, -A or -D, words are only sorted.
zpty shell TERM=dumb zsh -f -i
zpty -w shell '
stty -echo
PROMPT=
fpath=('${(q)1}' $fpath)
autoload -U compinit
compinit -u -D
compadd() {
    local -a proposed
    if [[ " ${(@)@[1,(i)(-|--)]}" != *" "-[OAD]* ]]; then
        builtin compadd -O proposed "$@"
        print -rl -- "" "= "$^proposed
    fi
    builtin compadd "$@"
}
after() { print "=en""d"; exit }
comppostfuncs=(after)
print "=rea""dy"
'
await '=ready'
zpty -w -n shell "$2"$'\t'
await '=end'
print -r -- "$text" | tr -d '\r' | sed -n 's/^= //p'
