package detect

import "strings"

// givenNames are first names that many people have in English-speaking countries, those apart that are words as well.
var givenNames = set(`james robert john michael david william richard joseph thomas christopher charles daniel matthew anthony donald steven andrew paul joshua
	kenneth kevin brian timothy ronald jason george edward jeffrey ryan jacob nicholas gary eric jonathan stephen larry justin scott brandon
	benjamin samuel gregory alexander patrick jack dennis jerry tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan
	jeremy walter christian keith roger terry austin sean gerald carl harold dylan arthur lawrence jordan jesse bryan bruce gabriel joe logan
	alan juan albert willie elijah wayne randy vincent mason roy ralph bobby russell bradley philip eugene mary patricia jennifer linda elizabeth barbara
	susan jessica karen sarah lisa nancy sandra betty ashley emily kimberly margaret donna michelle carol amanda melissa deborah stephanie
	rebecca sharon laura cynthia dorothy amy kathleen angela shirley emma brenda pamela nicole anna samantha katherine christine debra rachel
	carolyn janet maria olivia heather helen catherine diane julie victoria joyce lauren kelly christina ruth joan virginia judith evelyn hannah
	andrea megan cheryl jacqueline madison teresa abigail sophia martha sara gloria janice kathryn ann isabella judy charlotte julia jean alice
	frances denise amber doris marilyn danielle beverly theresa brittany diana natalie sophie rosa mike dave steve tom bob jim joey tony chris matt josh
	dan ben sam greg pat nick alex kate katie jenny jen liz beth becky debbie kathy cathy sue vicky tina gina carlos luis miguel pedro jorge
	antonio manuel ricardo fernando eduardo sofia carmen elena lucia ana mohammed muhammad ahmed ali omar fatima aisha wei ming raj priya anil
	sanjay deepak vijay lara laurie lori stacy tracy wendy rhonda tammy dawn heidi holly jill erin kristen kristin kara tara bryon byron craig
	darren derek travis trevor shane shawn troy marcus curtis allen alvin alfred stanley leonard leo louis lewis oscar norman ray ricky rodney glenn
	wesley corey cory dustin chad brett brad blake cody caleb connor luke evan isaac ian liam lucas mateo owen`)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		s[w] = true
	}
	return s
}
