package detect

import "parley/internal/words/phrase"

// givenNames are common first names in English-speaking countries, except those that are also ordinary words.
var givenNames = phrase.Set(`james robert john michael david william richard joseph thomas christopher charles daniel matthew anthony donald steven andrew paul joshua
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
	wesley corey cory dustin chad brett brad blake cody caleb connor luke evan isaac ian liam lucas mateo owen grace victor yolanda howard simone pablo irene derek fiona malcolm
	diego rosemary sylvia josephine veronica monica sabrina naomi esther miriam ruben hector rafael javier alejandro francisco roberto sergio
	arturo enrique julian dominic gavin trent clifford clarence ernest francis herbert harvey hugh ivan jay joel julius keenan kurt lance leon
	lester lloyd marvin maurice max melvin milton morris neil nelson norma otto perry quentin randall reginald rex roland ross rudy salvador
	seth sidney simon spencer stuart terrance theodore tim toby todd tom tommy tyrone vernon wade warren wilbur will zoe alicia allison alma
	amelia angie anita annette annie april ariana audrey bernice bertha bonnie brooke camila candace carla carrie cassandra cecilia chelsea
	chloe claire clara claudia colleen connie crystal daisy darlene della desiree dolores edith eileen ellen elsie erica erika ethel eva faith
	felicia florence gail geraldine gertrude gwen harriet hazel hilda ida ivy jackie jana janelle jasmine jeanette jenna jodi jordana josie
	joy juanita kayla kelsey krista kristina latoya leah leslie lillian lily loretta lorraine louise lucille lucy lydia lynn mabel mandy
	marcia margie marie marjorie marlene marsha maureen maxine melinda mia mildred mindy misty molly nadia natasha nina nora norah paige
	pauline peggy penny phyllis rachael ramona regina renee rita roberta robyn rosie roxanne ruby sadie sally savannah shannon sheila shelby
	shelly sherry sonia sonya stella suzanne sydney tamara tanya tasha thelma tiffany toni traci valerie vanessa vera vivian wanda whitney
	yvonne yvette abdul hassan hussein ibrahim yusuf khalid aaliyah amina layla chen jin hiroshi kenji yuki sung arjun rohan anjali kavita`)
