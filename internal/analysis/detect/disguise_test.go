package detect

import (
	"strings"
	"testing"
)

// disguises maps detectors to sentences with numbers written so as to evade detection, with the words of the numbers in
// braces, and to sentences with text that only looks like such numbers.
var disguises = map[string][]string{
	PCI: {
		"my card number is {4929/1381/three/four/two/four/3334} bye",
		"card number {Four_Nine_Two_Nine} {One_Three_Eight_One} {Three_Four_Two_Four} {Three_Three_Three_Four}",
		"my visa is {fourNineTwoNineOneThreeEightOneThreeFourTwoFourThreeThreeThreeFour}",
		"the card is {FOURNINETWONINE} {ONETHREEEIGHTONE} {THREEFOURTWOFOUR} {THREETHREETHREEFOUR}",
		"card number {forty-nine} {twenty-nine} {thirteen} {eighty-one} {thirty-four} {twenty-four} " +
			"{thirty-three} {thirty-four}",
		"card {fortynine/twentynine/thirteen/eightyone/thirtyfour/twentyfour/thirtythree/thirtyfour}",
		"pay with {49twentynine1381thirty-four24} {3334}",
		"my card is {four|nine|two|nine} then {1381} then {three.four.two.four} then {3334}",
		"my card: {4️⃣9️⃣2️⃣9️⃣} {①③⑧①} {三四二四} {３３３４}",
		"my card: {Ⅳ} {Ⅸ} {Ⅱ} {Ⅸ} {Ⅰ} {Ⅲ} {Ⅷ} {Ⅰ} {Ⅲ} {Ⅳ} {Ⅱ} {Ⅳ} {Ⅲ} {Ⅲ} {Ⅲ} {Ⅳ}",
		"card number {❹➈②⓽} {➀⑶8⒈} {³₄𝟐𝟺} {３𝟹३٤}",
		"my card is {四} {九} {二九} {一三八一} {三四二四} {三三三四}",
		"信用卡 号码 {四九二九一三八一三四二四三三三四} 谢谢",
		"卡号是{四九二九一三八一三四二四三三三四}吗",
		"카드 번호 는 {사구이구} {일삼팔일} {삼사이사} {삼삼삼사}",
		"카드 {사} {구} {이} {구} {일} {삼} {팔} {일} {삼} {사} {이} {사} {삼} {삼} {삼} {사} 입니다",
		"カード は {よんきゅうにきゅう} {いちさんはちいち} {さんよんによん} {さんさんさんよん} です",
		"card number is {4929138134243334@gmail.com}",
		"send to {4929.1381.3424.3334@mail.example.org} please",
		"card {visa-4929138134243334@pay.example} thanks",
		"write {me@4929138134243334.example.com} now",
		"card number {fournine.twonine.onethreeeightone.threefourtwofour.threethreethreefour@example.com}",
		"the card is {$4929138134243334}",
		"the card is {4,929,138,134,243,334.00}",
		"the card is {€4.929.138.134.243.334,00}",
		"card number {4929138134243334%}",
		"card number {4929138134243334.5}",
		"card {+4929138134243334}",
		"card {£4929,1381,3424,3334}",
		"press {4} press {9} press {2} press {9} press {1} press {3} press {8} press {1} press {3} press {4} " +
			"press {2} press {4} press {3} press {3} press {3} press {4}",
		"key {four} then {nine} key {two} then {nine} then key {one} then {three} key {eight} then {one} key " +
			"{three} then {four} key {two} then {four} key {three} then {three} key {three} then {four}",
		"card first digit {four} next digit {nine} next digit {two} next digit {nine} next digit {one} next " +
			"digit {three} next digit {eight} next digit {one} next digit {three} next digit {four} next digit " +
			"{two} next digit {four} next digit {three} next digit {three} next digit {three} last digit {four}",
		"my card digit {4} digit {9} digit {2} digit {9} and {1381} and {3424} and {3334}",
		"card numbers {4929} followed by {1381} followed by {3424} followed by {3334}",
		"the number on the card is {4-nine-2-nine} {1-three-8-one} {3-four-2-four} {3-three-3-four}",
		"card {four.nine.two.nine.one.three.eight.one.three.four.two.four.three.three.three.four}.",
		"my card number " +
			"is:{four,nine,two,nine},{one,three,eight,one},{three,four,two,four},{three,three,three,four}",
		"(card)={fournine}{twonine}{onethree}{eightone}{threefour}{twofour}{threethree}{threefour}",
		"my card is {four…nine…two…nine…one…three…eight…one…three…four…two…four…three…three…three…four}",
		"card {double-four} {double-nine} {three-one-two} {eight-one-three} {four-two-four-three-three-three}",
		"card number {four\u200bnine\u200btwo\u200bnine} {one\u00adthree\u00adeight\u00adone} " +
			"{three\u2060four\u2060two\u2060four} {three\ufeffthree\ufeffthree\ufefffour}",
		"my card is {ｆｏｕｒ} {ｎｉｎｅ} {ｔｗｏ} {ｎｉｎｅ} {ｏｎｅ} {ｔｈｒｅｅ} {ｅｉｇｈｔ} {ｏｎｅ} {𝐭𝐡𝐫𝐞𝐞} {𝐟𝐨𝐮𝐫} {𝐭𝐰𝐨} {𝐟𝐨𝐮𝐫} {ⓣⓗⓡⓔⓔ} " +
			"{ⓣⓗⓡⓔⓔ} {ⓣⓗⓡⓔⓔ} {ⓕⓞⓤⓡ}",
		"my card is {⠼⠙⠊⠃⠊} {⠼⠁⠉⠓⠁} {⠼⠉⠙⠃⠙} {⠼⠉⠉⠉⠙}",
		"my card is {🯴🯹🯲🯹} {🯱🯳🯸🯱} {🯳🯴🯲🯴} {🯳🯳🯳🯴}",
		"card {𑁕𑁚𑁓𑁚} {𑁒𑁔𑁙𑁒} {𑁔𑁕𑁓𑁕} {𑁔𑁔𑁔𑁕}",
		"card {〤〩〢〩} {〡〣〨〡} {〣〤〢〤} {〣〣〣〤}",
		"card {4929_1381} {threefour24} {③③③④}",
		"#{4929*1381*3424*3334}#",
		"card {4.9.2.9.1.3.8.1.3.4.2.4.3.3.3.4}",
		"card {4/9/2/9} {1/3/8/1} {3/4/2/4} {3/3/3/4}",
		"card {four-9-two-9} one {1-three} {eight/1} {3four} {2four} {three3} {3four}",
		"my amex {thirtyseven/fourteen/fortynine/sixtythree/fiftythree/ninetyeight/four/thirtyone}",
	},
	SSN: {
		"my social security number is {536228741.00}",
		"my social security number is {536228741%}",
		"my social security number is {$536,228,741.00}",
		"my social is {536,228,741}",
		"my social is {€536.228.741,00}",
		"my social security number is {536228741.5}",
		"my social security number is {536228741@example.com}",
		"my ssn {536-22-8741@example.com}",
		"my social is {five,three,six} {two,two} {eight,seven,four,one}",
		"my social is {FiveThreeSix-TwoTwo-EightSevenFourOne}",
		"my social security number {fivethreesixtwotwoeightsevenfourone}",
		"my ssn is {五三六} {二二} {八七四一}",
		"my ssn is {五} {三} {六} {二} {二} {八} {七} {四} {一}",
		"my ssn is {伍叁陆-贰贰-捌柒肆壹}",
		"my social is {오삼육} {이이} {팔칠사일}",
		"my social is {➎➌➏} {➋➋} {➑➐➍➊}",
		"my social is {⒌⒊⒍⒉⒉⒏⒎⒋⒈}",
		"my social is {⑸⑶⑹} {⑵⑵} {⑻⑺⑷⑴}",
		"social press {5} press {3} press {6} press {2} press {2} press {8} press {7} press {4} press {1}",
		"my social number {five} number {three} number {six} number {two} number {two} number {eight} number " +
			"{seven} number {four} number {one}",
		"my social is {5three6} {2two} {8seven4one}",
		"my social security number is {536/22/8741}",
		"my social is {fivethirtysix} {twentytwo} {eightyseven} {fortyone}",
		"my social is {five-thirty-six} {twenty-two} {eighty-seven-forty-one}",
		"social:{536}:{22}:{8741}",
		"ssn={536228741};",
		"my social is {536228741USD}",
		"my social is {𐹤𐹢𐹥} {𐹡𐹡} {𐹧𐹦𐹣𐹠}",
	},
	PII: {
		"my phone number is {twozerosix} {fivefivefive} {zeroonefourseven}",
		"call me at {two/oh/six} {five/five/five} {oh/one/four/seven}",
		"my phone is {2065550147@example.com}",
		"my phone number is {二零六} {五五五} {零一四七}",
		"my number to call press {2} press {0} press {6} press {5} press {5} press {5} press {0} press {1} " +
			"press {4} press {7}",
		"call me at {②⓪⑥} {⑤⑤⑤} {⓪①④⑦}",
		"my phone number is {$2,065,550,147}",
		"my cell is {twoOhSix.fiveFiveFive.ohOneFourSeven}",
		"call me back at {2zero6} {five55} {01fourseven}",
		"my phone number is {공이공} {오오오} {공일사칠}",
	},
	"": {
		"we had a one on one and a one-on-one and it was one-to-one",
		"this is for you and i want to go too",
		"we won't be late and we won by two",
		"i ate at eight and so did four of us",
		"it's two for one or two-for-one today",
		"the price is $1,234.56 or $12,345,678.90 in all",
		"it costs 49.99 plus 8.25% tax",
		"the total was four hundred and ninety-nine dollars",
		"flight UA1234 leaves at 10:45 from gate B12",
		"flight number four nine two nine to boston",
		"order number 4929-13813-424 shipped",
		"order number four/nine/two/nine/one/three/eight",
		"version 4.9.2 build 1381 of the app",
		"we run go1.26.8 and python3.11.4 here",
		"the date is 12/25/2026 or 2026-12-25",
		"we meet on may fifth twenty twenty six at ten thirty",
		"extension 4929 please",
		"my email is john85@example.com",
		"write to sales42@example.com or info@example.com",
		"ask 7@example.com",
		"my email is john.smith1985@example.com",
		"my email is 123456789@qq.com",
		"mp3 mp4 h264 b2b 3d 5g 4k 24/7",
		"the router is a WRT54GL with 802.11ac",
		"press 1 for sales press 2 for support press 3 for billing",
		"press one for english two for spanish",
		"chapter Ⅳ of henry Ⅷ and louis ⅩⅣ",
		"一 个 人 在 家",
		"我 有 三 个 孩子 和 两 只 猫",
		"一二三 开始 吧",
		"이 일 은 사 일 전 에",
		"구이 와 오이 사이",
		"にほん に いきます ご さん",
		"さんご の しま に いく",
		"half and half or fifty-fifty or fifty/fifty",
		"nine/eleven was a tuesday",
		"twenty-twenty vision and fifty-one percent",
		"someone phoned often and anyone attended",
		"i tend to phone everyone on monday",
		"stone money honey done gone alone",
		"the twofold threefold fourfold plan",
		"foursome sixpack sevenfold",
		"a two-one win and a three-nil loss",
		"one two three testing testing",
		"i need two rooms and then one room and then three rooms and then four rooms",
		"1 of 2 or 2 of 3 or 3 of 4",
		"two by four and two by six and two by eight",
		"zip code 98101-4321 in seattle",
		"call extension four/nine/two",
		"tracking number 1Z999AA10123456784",
		"room 1405 floor 14",
		"my account number is 1234567890123",
		"the odds are 9/2 and 11/10 and 7/4",
		"scores were 6-4 3-6 7-5",
		"we sold 1,234,567 units and 12,345 boxes",
		"revenue of 4,929,138 dollars",
		"1.5 million and 2.25 billion",
		"m² and x³ and ½ cup",
		"top 10 of ①, ② and ③",
		"⚀ and ⚅ on the dice",
		"it is 98.6 degrees at 5,280 feet",
		"paid on 10/12 and 11/12",
		"a 50% discount then 20% then 10%",
		"www.one.com and four.example.com",
		"ohio oh ohh zero-sum zero-day",
	},
}

// TestDisguisedNumbersAreFoundAndOthersAreNot measures disguises at probableNumbers.
func TestDisguisedNumbersAreFoundAndOthersAreNot(t *testing.T) {
	all := 0
	for detector, sentences := range disguises {
		failed := 0
		for _, text := range sentences {
			all++
			if missed, alarms := disguised(detector, text); len(missed)+len(alarms) > 0 {
				failed++
				t.Errorf("%s: missed %q, found %q in %q", detector, missed, alarms, text)
			}
		}
		t.Logf("%q: %d of %d sentences wrong", detector, failed, len(sentences))
	}
	t.Logf("%d sentences", all)
}

// disguised returns the words in braces that a detector does not find in a sentence of the caller. For sentences
// without braces, it returns what the detectors of cards, social security numbers and telephone numbers find.
func disguised(detector, text string) (missed, alarms []string) {
	tr := said("C: " + strings.NewReplacer("{", "", "}", "").Replace(text))
	request := &Request{Detectors: []Choice{{PCI, ProbableNumbers}, {SSN, ProbableNumbers}, {PII, ProbableNumbers}}}
	hidden := map[int]string{}
	found := Find(tr, request)
	for i, asked := range request.Detectors {
		for _, r := range found[i] {
			number := asked.Detector != PII || r.Class.Label == "phone"
			if detector != "" && detector != asked.Detector || detector == "" && !number {
				continue
			}
			for k := r.First; k <= r.Last; k++ {
				hidden[k] = asked.Detector
			}
		}
	}
	for i, w := range strings.Fields(text) {
		switch {
		case strings.Contains(w, "{") && hidden[i] == "":
			missed = append(missed, w)
		case detector == "" && hidden[i] != "":
			alarms = append(alarms, hidden[i]+" "+w)
		}
	}
	return missed, alarms
}
