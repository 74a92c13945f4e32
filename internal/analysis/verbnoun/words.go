package verbnoun

import "parley/internal/words/phrase"

var (
	fillers   = phrase.Set(`um uh uhm umm er erm hmm mm mhm ah please`)
	vocatives = phrase.Set(`sir ma'am maam thanks sorry hello hi hey okay ok yes yeah yep well`)

	pronouns = phrase.Set(`i you he she it we they me him us them myself yourself himself herself itself ourselves themselves something anything nothing
		everything someone anyone everyone somebody anybody everybody nobody mine yours hers theirs none`)
	possessives    = phrase.Set(`my your his her its our their`)
	demonstratives = phrase.Set(`this that these those`)
	quantities     = phrase.Set(`some any all both each every no neither several many much few little more most other another such same own half enough
		next last first`)
	denies        = phrase.Set(`no neither zero`)
	questionWords = phrase.Set(`what which whose who whom`)
	connectives   = phrase.Set(`that because if whether although though unless while when where why how so since as than`)

	// measures are nouns of quantity or sort before "of".
	measures = phrase.Set(`lot couple bunch kind sort type plenty pair ton rest all some most none one each both half`)

	times = phrase.Set(`second minute hour day week month year moment morning afternoon evening night today tomorrow yesterday tonight time weekend weekday
		while ago noon midnight monday tuesday wednesday thursday friday saturday sunday january february march april may june july
		august september october november december decade century summer winter spring autumn fall now later once twice while`)

	days = phrase.Set(`today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday now later`)

	// embedding verbs take another verb, to which their subject and negation belong.
	embedding = phrase.Set(`want need like have go try plan intend hope wish start begin stop keep continue finish get manage use love hate prefer attempt expect
		happen seem appear tend afford decide agree refuse fail forget remember able allow suppose avoid consider mind enjoy`)
	// denying verbs pass their negation to the other verb.
	denying = phrase.Set(`want need like have go get able allow suppose plan intend expect manage afford use`)
	// telling verbs take a clause: a noun after them may be its subject.
	telling = phrase.Set(`think say know believe guess hope see hear feel mean tell notice figure assume wish suppose understand realize remember imagine bet hope say confirm ensure check sure show`)
	// giving verbs have two objects.
	giving = phrase.Set(`give send tell show offer buy bring charge sell ask pay cost lend teach hand pass owe get make order find save read mail email text fax
		promise quote issue grant assign`)
	// dating verbs take times as objects.
	dating = phrase.Set(`have enjoy schedule reserve pick choose set confirm change move book spend waste save`)

	particles = phrase.Set(`up off out down back away over on in through`)
	// around are prepositions whose noun is not a complement of the verb.
	around = phrase.Set(`after before during since until till by without like as than at per within between despite except besides along through around over above below
		beyond near behind`)

	// ables are adjectives that take a verb.
	ables = phrase.Set(`able willing ready supposed allowed`)

	degrees  = phrase.Set(`so very too that as this`)
	helping  = phrase.Set(`do does did can could will would should must may might`)
	needing  = phrase.Set(`need needs needed want wants wanted`)
	becoming = phrase.Set(`go goes went gone going become becomes became get gets got feel feels felt seem seems look looks`)
	thirds   = phrase.Set(`he she it who one nobody somebody someone everybody everyone nothing everything something that which`)

	// verbsBefore are words that precede "to" and a verb.
	verbsBefore = phrase.Set(`want wanted wants need needed needs going trying try tried like love have has had got able used supposed able ready hoping hope wish plan planning`)
)

var negations = map[string]string{
	"not": "not", "never": "never", "hardly": "hardly", "barely": "barely", "rarely": "rarely", "seldom": "seldom",
	"scarcely": "scarcely",
}

// forms are the forms of the auxiliaries that may be verbs themselves.
var forms = map[string]string{
	"am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "be": "be", "been": "be", "being": "be", "'s": "be",
	"have": "have", "has": "have", "had": "have", "having": "have", "do": "do", "does": "do", "did": "do",
	"'d": "would",
}
