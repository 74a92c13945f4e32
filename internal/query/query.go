// Package query implements the query language: the conditions of categories and the statements of the analytic
// database. A text is parsed into a Statement, a statement's condition is compiled into a Program, and a program is
// evaluated on calls.
//
//	text ─Read→ Draft ─Check(known names)→ Statement ─Compile→ Program ─Over(lexicon)→ Matcher ─Find(subject)→ matched, hits
//
// Callers pass the words of a call as a Subject: categories build one from a transcript (Of), scans of many calls
// fill one from token files. A query planner asks a Program for the words and the fields it needs (Need, Fields)
// before it evaluates candidates. Statements, programs and matchers are immutable and safe for concurrent use.
//
// The package does not read calls, indexes or databases, does not look up metadata, and does not execute the rest of
// a statement (columns, groups, order); callers read these from the Statement.
package query

import "parley/internal/words/phrase"

// Limits of a text.
const (
	MaxLength = 10_000 // characters
	MaxDepth  = 50     // nested parentheses and negations
	MaxTerms  = 500    // phrases
	MaxWords  = 50     // words of one phrase
	MaxSlop   = 100    // other words that SLOP allows
	MaxSteps  = 50     // consecutive FOLLOWED BY steps
	MaxList   = 200    // columns, groups, values of an IN
)

// Statement is one parsed text: a Select or an Alter.
type Statement struct {
	Explain bool
	Select  *Select
	Alter   *Alter
}

// Select selects calls. A condition alone is SELECT * FROM media WHERE condition.
type Select struct {
	Items         []Item
	Where         Condition // nil: every call
	Group         []Expr    // each a Field or an Alias
	Order         []Order
	Limit, Offset *int
}

// Item is one column of the result. As is empty if it has no alias.
type Item struct {
	Expr Expr
	As   string
}

// Order is one key of ORDER BY: a Field, an Alias or a Function.
type Order struct {
	By         Expr
	Descending bool
}

// Alter defines the types of metadata fields.
type Alter struct{ Columns []Column }

// Column is one defined field. Size is 0 if it was not specified.
type Column struct {
	Field Field
	Type  string // varchar, integer, double, boolean or timestamp
	Size  int
}

// Expr is the expression of a column, a group or an order: Star, Field, Function, Alias, or a Value (only as an
// argument of a function).
type Expr interface{ expr() }

type (
	// Star is * as a column and as an argument of count.
	Star struct{}
	// Alias is the name given to a column with AS.
	Alias string
	// Function is a call of a built-in function.
	Function struct {
		*Builtin
		Args []Expr
	}
)

func (Star) expr()     {}
func (Alias) expr()    {}
func (Function) expr() {}
func (Field) expr()    {}
func (Value) expr()    {}

// Condition is a predicate on a call. It is one of the types below. Conditions are two-valued: NOT over a comparison
// with a missing value is true.
type Condition interface{ condition() }

type (
	// And holds if all of its parts hold. It has at least two.
	And []Condition
	// Or holds if one of its parts holds. It has at least two.
	Or []Condition
	// Not holds if its part does not.
	Not struct{ X Condition }
	// Everything holds for every call.
	Everything struct{}
	// Compare compares a field with a value.
	Compare struct {
		Field Field
		Op    Op
		Value Value
	}
	// In holds if a field equals one of the values or, with Not, if it equals no value of the list.
	In struct {
		Field  Field
		Not    bool
		Values []Value
	}
	// Between holds if a field lies between two values, both included; with Not, if it does not.
	Between struct {
		Field     Field
		Not       bool
		Low, High Value
	}
	// Like matches a field against a pattern: % is any text, _ any one character.
	Like struct {
		Field   Field
		Not     bool
		Pattern string
	}
	// Null holds if a field has no value; with Not, if it has one.
	Null struct {
		Field Field
		Not   bool
	}
	// Contains holds if one of some texts of a call has a phrase: a turn as it was spoken (not as CutTurns divides it), the
	// title or the description. No statement has it: package fulltext makes it.
	Contains struct {
		In   phrase.Fields
		What phrase.Phrase
	}
	// Says holds if a speaker says the words within one turn.
	Says struct {
		Who  Speaker
		What Words
	}
	// Followed holds if hits follow each other in time as its steps require.
	Followed struct {
		First Says
		Steps []Step
	}
	// Interval holds if a stretch of time found by a function, such as a silence, has at least the given length
	// inside the window.
	Interval struct {
		Of      *Builtin
		AtLeast Time
		Window  *Window
	}
)

func (And) condition()        {}
func (Or) condition()         {}
func (Not) condition()        {}
func (Everything) condition() {}
func (Compare) condition()    {}
func (In) condition()         {}
func (Between) condition()    {}
func (Like) condition()       {}
func (Null) condition()       {}
func (Contains) condition()   {}
func (Says) condition()       {}
func (Followed) condition()   {}
func (Interval) condition()   {}

// Speaker is the required speaker of words. The empty Speaker, written *, is anybody.
type Speaker string

// Step is one FOLLOWED BY: the words that must follow, or with Not must not follow, the previous ones. A nil Within
// means any time later.
type Step struct {
	Not    bool
	Within *Time
	Says   Says
}

// Words is an expression of spoken words. It is one of the types below.
type Words interface{ words() }

type (
	// Term is one phrase.
	Term struct {
		Places  []phrase.Pattern // at least one
		Slop    *int             // nil: that of the enclosing group, or 0
		Windows []Window         // a hit begins inside all of them
	}
	// Group applies its slop and its windows to its contents.
	Group struct {
		X       Words
		Slop    *int
		Windows []Window
	}
	// TurnAnd, TurnOr and TurnNot, written &&, || and !, are evaluated for each turn separately.
	TurnAnd []Words
	TurnOr  []Words
	TurnNot struct{ X Words }
	// CallAnd, CallOr and CallNot, written AND, OR and NOT inside the parentheses of a SAYS, are evaluated over the
	// whole call, for the same speaker.
	CallAnd []Words
	CallOr  []Words
	CallNot struct{ X Words }
)

func (Term) words()    {}
func (Group) words()   {}
func (TurnAnd) words() {}
func (TurnOr) words()  {}
func (TurnNot) words() {}
func (CallAnd) words() {}
func (CallOr) words()  {}
func (CallNot) words() {}

// Window is the half-open interval [From, To) in which a hit must begin. A nil From is the start of the call, a nil
// To its end.
type Window struct{ From, To *Time }
