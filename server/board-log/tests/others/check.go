// Checks what the crate checks, by the Go project's own code for notes and logs. Cases are lines of JSON on standard input, verdicts lines on
// standard output: true or false.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type oneCase struct {
	Kind     string
	Text     string
	Key      string
	Old, New struct {
		Size int64
		Root string
	}
	Proof []string
	Root  string
}

var strict = base64.StdEncoding.Strict()

func hash(text string) (hash tlog.Hash) {
	decoded, err := strict.DecodeString(text)
	if err != nil || len(decoded) != len(hash) {
		panic("not a hash")
	}
	copy(hash[:], decoded)
	return hash
}

func hashes(texts []string) (all []tlog.Hash) {
	for _, text := range texts {
		all = append(all, hash(text))
	}
	return all
}

func opened(text, key string) string {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		panic(err)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		panic(err)
	}
	return opened.Text
}

type extra struct {
	Entry string   `json:"entry"`
	Row   string   `json:"row"`
	Index int64    `json:"index"`
	Path  []string `json:"path"`
}

// A receipt (C2SP tlog-proof): the row is in the entry, the entry in the log, and the key has signed the log's checkpoint.
func receipt(text, key string) {
	parts := strings.SplitN(text, "\n\n", 2)
	lines := strings.Split(parts[0], "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "extra ") || !strings.HasPrefix(lines[2], "index ") {
		panic("not a receipt")
	}
	decoded, err := strict.DecodeString(lines[1][len("extra "):])
	if err != nil {
		panic(err)
	}
	var about extra
	if err := json.Unmarshal(decoded, &about); err != nil {
		panic(err)
	}
	// Go reads other spellings, too.
	var spelled bytes.Buffer
	encoder := json.NewEncoder(&spelled)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(about); err != nil || strings.TrimSuffix(spelled.String(), "\n") != string(decoded) {
		panic("another spelling")
	}
	index, err := strconv.ParseInt(lines[2][len("index "):], 10, 64)
	if err != nil || strconv.FormatInt(index, 10) != lines[2][len("index "):] {
		panic("not a number")
	}
	checkpoint := strings.Split(opened(parts[1], key), "\n")
	if !strings.HasPrefix(key, checkpoint[0]+"+") {
		panic("the key of another log")
	}
	size, err := strconv.ParseInt(checkpoint[1], 10, 64)
	if err != nil {
		panic(err)
	}
	root := hash(checkpoint[2])
	if err := tlog.CheckRecord(hashes(lines[3:]), size, root, index, tlog.RecordHash([]byte(about.Entry))); err != nil {
		panic(err)
	}
	var entry struct {
		Kind string
		Rows int64
		Root string
	}
	if err := json.Unmarshal([]byte(about.Entry), &entry); err != nil || entry.Kind != "board" {
		panic("not about the board")
	}
	var rows tlog.Hash
	if n, err := hex.Decode(rows[:], []byte(entry.Root)); err != nil || n != len(rows) {
		panic("not a root")
	}
	if err := tlog.CheckRecord(hashes(about.Path), entry.Rows, rows, about.Index, tlog.RecordHash([]byte(about.Row))); err != nil {
		panic(err)
	}
}

// A cosignature (C2SP tlog-cosignature), which golang.org/x/mod does not know.
func cosigned(text, key string) {
	parts := strings.SplitN(key, "+", 3)
	public, err := strict.DecodeString(parts[2])
	if err != nil {
		panic(err)
	}
	id, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		panic(err)
	}
	// Well-formed, whoever has signed it.
	if _, err := note.Open([]byte(text), note.VerifierList()); err != nil {
		if _, ok := err.(*note.UnverifiedNoteError); !ok {
			panic(err)
		}
	}
	end := strings.LastIndex(text, "\n\n")
	for _, line := range strings.Split(strings.TrimSuffix(text[end+2:], "\n"), "\n") {
		words := strings.Split(line, " ")
		if len(words) != 3 || words[0] != "—" || words[1] != parts[0] {
			continue
		}
		signed, err := strict.DecodeString(words[2])
		if err != nil || len(signed) != 76 || uint64(binary.BigEndian.Uint32(signed)) != id {
			continue
		}
		time := binary.BigEndian.Uint64(signed[4:])
		message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text[:end+1])
		if time > 0 && time < 1<<63 && ed25519.Verify(public[1:], []byte(message), signed[12:]) {
			return
		}
	}
	panic("not cosigned")
}

// The root over the rows of a snapshot, or over what is left of withdrawn ones.
func snapshot(text, root string) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (found []tlog.Hash, err error) {
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:]
	for at, line := range lines {
		leaf := tlog.RecordHash([]byte(line))
		var gone struct{ Withdrawn string }
		if err := json.Unmarshal([]byte(line), &gone); err == nil && gone.Withdrawn != "" {
			if _, err := hex.Decode(leaf[:], []byte(gone.Withdrawn)); err != nil {
				panic(err)
			}
		}
		more, err := tlog.StoredHashesForRecordHash(int64(at), leaf, reader)
		if err != nil {
			panic(err)
		}
		stored = append(stored, more...)
	}
	found, err := tlog.TreeHash(int64(len(lines)), reader)
	if err != nil || hex.EncodeToString(found[:]) != root {
		panic("another root")
	}
}

func check(it oneCase) (right bool) {
	defer func() {
		if recover() != nil {
			right = false
		}
	}()
	switch it.Kind {
	case "note":
		opened(it.Text, it.Key)
	case "receipt":
		receipt(it.Text, it.Key)
	case "cosigned":
		cosigned(it.Text, it.Key)
	case "snapshot":
		snapshot(it.Text, it.Root)
	case "growth":
		if err := tlog.CheckTree(hashes(it.Proof), it.New.Size, hash(it.New.Root), it.Old.Size, hash(it.Old.Root)); err != nil {
			panic(err)
		}
	default:
		panic("unknown")
	}
	return true
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var it oneCase
		if err := json.Unmarshal(line, &it); err != nil {
			panic(err)
		}
		fmt.Println(check(it))
	}
}
