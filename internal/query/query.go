// Package query is the query language: the conditions of categories and the statements of the analytic
// database. A text is parsed into a Statement, a statement's condition is compiled into a Program, and a program judges
// calls.
//
//	text ─Read→ Parsed ─Check(known names)→ Statement ─Compile→ Program ─Over(lexicon)→ Matcher ─Find(subject)→ matched, hits
//
// Callers bring the words of a call as a Subject: categories make one of a transcript (Of), scans of many calls
// fill one from token files, and a planner of statements asks a Program for the words and the fields it needs
// (Need, Fields) before it checks candidates. Statements, programs and matchers are immutable and may be used by many
// goroutines.
//
// The package does not read calls, indexes or databases, it does not look up metadata, and it does not carry
// out what surrounds a condition (columns, groups, order): the statement says what was asked.
package query

import "parley/internal/words/phrase"

// Limits of a text.
const (
	MaxLength = 10_000 // characters
	MaxDepth  = 50     // parentheses and negations in each other
	MaxTerms  = 500    // phrases
	MaxWords  = 50     // words of one phrase
	MaxSlop   = 100    // other words that a slop allows
	MaxSteps  = 50     // FOLLOWED BY after each other
	MaxList   = 200    // columns, groups, values of an IN
)

// Statement is one parsed text: a Select or an Alter.
type Statement struct {
	Explain bool
	Select  *Select
	Alter   *Alter
}

// Select asks for calls. A condition by itself is SELECT * FROM media WHERE condition.
type Select struct {
	Items         []Item
	Where         Condition // nil: every call
	Group         []Expr    // each a Field or an Alias
	Order         []Order
	Limit, Offset *int
}

// Item is one column of the answer. As is empty where it has no alias.
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

// Column is one defined field. Size is 0 where none was given.
type Column struct {
	Field Field
	Type  string // varchar, integer, double, boolean or timestamp
	Size  int
}

// Expr is what a column, a group or an order is made of: Star, Field, Function, Alias, or a Value (arguments of
// functions only).
type Expr interface{ expr() }

type (
	// Star is * as a column and as an argument of count.
	Star struct{}
	// Alias is the name that a column got with AS.
	Alias string
	// Function is a call of one of the functions.
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

// Condition is what holds for a call or does not. It is one of the types below. Conditions are two-valued: NOT over a
// comparison with a missing value is true.
type Condition interface{ condition() }

type (
	// And holds when all of its parts do. It has at least two.
	And []Condition
	// Or holds when one of its parts does. It has at least two.
	Or []Condition
	// Not holds when its part does not.
	Not struct{ X Condition }
	// Everything holds for every call.
	Everything struct{}
	// Compare compares a field with a value.
	Compare struct {
		Field Field
		Op    Op
		Value Value
	}
	// In holds when a field has one of the values, or none of them with Not.
	In struct {
		Field  Field
		Not    bool
		Values []Value
	}
	// Between holds when a field lies between two values, both included; with Not when it does not.
	Between struct {
		Field     Field
		Not       bool
		Low, High Value
	}
	// Like compares a field with a pattern: % is any text, _ any one character.
	Like struct {
		Field   Field
		Not     bool
		Pattern string
	}
	// Null holds when a field has no value, with Not when it has one.
	Null struct {
		Field Field
		Not   bool
	}
	// Says holds when a speaker says the words, in one turn.
	Says struct {
		Who  Speaker
		What Words
	}
	// Followed holds when hits follow each other in time as its steps ask.
	Followed struct {
		First Says
		Steps []Step
	}
	// Interval holds when a stretch of time that a function finds, such as a silence, lasts at least so long inside the
	// window.
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
func (Says) condition()       {}
func (Followed) condition()   {}
func (Interval) condition()   {}

// Speaker is who has to say words. The empty Speaker, written *, is anybody.
type Speaker string

// Step is one FOLLOWED BY: what is said after what came before it, or must not be. Within is nil for any time later.
type Step struct {
	Not    bool
	Within *Time
	Says   Says
}

// Words is what a speaker says. It is one of the types below.
type Words interface{ words() }

type (
	// Term is one phrase.
	Term struct {
		Places  []phrase.Pattern // at least one
		Slop    *int             // nil: that of the group around it, else 0
		Windows []Window         // a hit begins inside all of them
	}
	// Group gives its slop and its windows to what it holds.
	Group struct {
		X       Words
		Slop    *int
		Windows []Window
	}
	// TurnAnd, TurnOr and TurnNot, written &&, || and !, are judged in each turn by itself.
	TurnAnd []Words
	TurnOr  []Words
	TurnNot struct{ X Words }
	// CallAnd, CallOr and CallNot, written AND, OR and NOT in the parentheses of a SAYS, are judged in
	// the whole call, for the same speaker.
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

// Window is the time in which a hit has to begin: From included, To not. nil is the start or the end of the call.
type Window struct{ From, To *Time }
