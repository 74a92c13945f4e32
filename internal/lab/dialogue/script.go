package dialogue

import "strings"

// script holds the sentences of calls. A stands for the agent, C for the caller; braces enclose the names of values.
type script struct {
	opening, talk, closing, acks, corrections, refusals, readBacks, yes []string
	first, last                                                         []string // names
	topics                                                              map[Kind][]string
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

// scripts are the sets of sentences.
var scripts = [Sets]*script{{
	opening: lines(`
A: thank you for calling how can i help you today / C: hi i need some help with my bill
A: good morning this call may be recorded how may i assist you / C: hello i would like to make a payment
A: customer service what can i do for you / C: yes hi i'm calling about two charges on my statement
A: thanks for holding how can i help / C: i ordered something last week and it never came`),
	talk: lines(`
A: one moment please while i pull that up / C: sure take your time
A: okay let me check on that for you / C: thanks
C: how long does that usually take / A: it takes three to five business days
A: i see you have been with us for twelve years / C: yes a long time
C: the internet stopped working two days ago / A: i am sorry to hear that
A: there are two options for you / C: okay what are they
A: the first one is the basic plan and the second one has more channels / C: i think the first one is fine
C: i called four times already and nobody could help me / A: i apologize for the inconvenience
A: you will get a text message in about ten minutes / C: great
A: your plan comes with five hundred megabits and two boxes / C: okay
C: can you hold on for one second my dog is barking / A: no problem
A: is there anything else i can do for you / C: no i think that's it
C: my neighbor pays half of that / A: i understand let me see what i can do for you
A: we are open from nine to five monday through friday / C: okay good to know
C: i have three kids and one of them broke it / A: oh no
A: it says here that the box was delivered on the fourth / C: well it was not`),
	closing: lines(`
A: thank you for calling have a great day / C: you too bye
A: you're all set / C: thank you so much bye bye
A: we appreciate your business / C: thanks bye`),
	acks:        lines("okay\nuh-huh\nmm-hmm\nyes\ngot it\nall right\nyep\ngo ahead\nokay and then\nokay next"),
	corrections: lines("no sorry\nsorry\nno wait\ni mean\nscratch that\nactually\nexcuse me"),
	refusals:    lines("no\nno it's\nno that's\nno i said"),
	readBacks:   lines("okay so that's\nlet me read that back\nso i have\nand that was"),
	yes:         lines("yes\nthat's correct\nyes that's right\ncorrect\nyep"),
	first:       strings.Fields("sarah michael jennifer david maria james linda robert karen daniel"),
	last:        strings.Fields("johnson miller garcia thompson williams anderson martinez robinson carver lewis"),
	topics: map[Kind][]string{
		Card: lines(`
A: can i get your credit card number please / C: sure it's {card} / A: and the expiration date / C: {expiry} / A: and the three digit code on the back / C: {security}
A: what is the card number / C: {card} / A: thank you and when does it expire / C: {expiry} / A: and the security code / C: that's {security}
A: what card would you like to use / C: my visa / A: okay go ahead with the number / C: {card} / A: expiration / C: {expiry} / A: and the cvv / C: {security}
C: i want to pay with my mastercard the number is {card} and it expires {expiry} / A: and the code on the back / C: {security}
A: go ahead with the sixteen digits whenever you are ready / C: okay let me get my card okay {card} / A: perfect and the expiration / C: {expiry}
C: somebody used my card to buy things / A: what is the number on the card / C: it's {card} / A: okay thank you i have blocked it
C: you can charge it to my amex / A: sure read me the numbers on the front / C: {card} / A: expiration date / C: {expiry} / A: four digits on the front / C: {security}
A: i still have the card ending in {last} is that the one you want to use / C: no i have a new one it's {card} / A: and the expiry / C: {expiry}`),
		Social: lines(`
A: can you verify your social security number for me / C: yes it's {social}
A: i just need your social / C: {social}
C: my social is {social} / A: thank you
A: for verification purposes may i have the last four of your social / C: sure {last}
A: what's the social security number on the account / C: it's {social} / A: thank you`),
		Phone: lines(`
A: what's a good phone number in case we get disconnected / C: {phone}
A: and your phone number please / C: it's {phone}
C: can you call me back at {phone} / A: sure
C: my cell is {phone} / A: okay
A: can i have a callback number / C: yes you can reach me at {phone}
A: what's the best number to reach you / C: that would be {phone}`),
		Birthdate: lines(`
A: and your date of birth / C: {birthdate}
A: can you verify your date of birth for me please / C: sure it's {birthdate}
A: what is your birthday / C: {birthdate}
C: i was born {birthdate} / A: thank you`),
		Account: lines(`
A: may i have your account number / C: yes it's {account}
C: my account number is {account} / A: okay one moment
A: do you have your member number / C: {account}
A: what is the account number on the bill / C: let me see it's {account}`),
		Order: lines(`
A: do you have the order number / C: yes it's {order}
C: the tracking number is {order} / A: let me look that up
A: your confirmation number is {order} / C: okay
A: can i have the reference number please / C: {order}`),
		Zip: lines(`
A: and your zip code / C: {zip}
A: what's the billing zip code / C: it's {zip}`),
		Price: lines(`
A: your total comes to {price} / C: okay
C: i was charged {price} for nothing / A: let me see
A: the balance is {price} and it is due next week / C: that is a lot
A: that would be {price} a month / C: okay`),
		Date: lines("A: when did you move in / C: it was {date}\nC: i paid that on {date} / A: i see\nA: the " +
			"technician can come {date} / C: okay that works"),
		Clock: lines("A: does {clock} work for you / C: yes\nC: i called at {clock} / A: okay"),
		Count: lines("A: how many lines do you have / C: {count}\nC: i need {count} of them / A: sure"),
		LastFour: lines("A: i see a card ending in {lastfour} / C: yes use that one\nA: is it the visa with the last " +
			"four {lastfour} / C: yes"),
		Email: lines("A: what's your email address / C: it's {email}\nA: and the email / C: {email} / A: thanks\nC: " +
			"my email is {email} / A: got it"),
		Name: lines(`
A: can i have your first and last name please / C: {name}
A: may i have your name / C: yes my name is {name}
C: hi this is {name} calling about my bill / A: hello
A: who am i speaking with / C: {first}
A: what is the name on the account / C: {name}`),
	},
}, {
	opening: lines(`
A: hello and welcome to the billing department / C: hey there i got a letter from you folks
A: support line what seems to be the trouble / C: well my router has three red lights and none of them is good
A: reservations how can i make your day better / C: i want to change a booking for two people
A: good afternoon what brings you in / C: i want to cancel before the thirtieth`),
	talk: lines(`
A: bear with me my computer is slow today / C: no worries
C: i have been waiting for forty five minutes / A: i do apologize we had only six people here this morning
A: that upgrade gives you one hundred channels more / C: i only watch five or six
C: do i have to be at home for that / A: somebody over eighteen has to be there
A: shipping is free for orders over fifty / C: nice
C: last year it was half of that / A: prices went up by four percent
A: i can offer you a credit for two months / C: make it three and we have a deal
C: we moved here in twenty nineteen / A: how do you like it
A: press one for yes and two for no when the system calls you / C: okay
C: there are four of us in the house / A: then the large plan is for you
A: the warehouse has one left in blue / C: i will take it
C: to be honest i am a little frustrated / A: i would be too`),
	closing: lines(`
A: enjoy the rest of your week / C: same to you
C: that was all i needed / A: wonderful take care
A: you will hear from us by friday / C: okay goodbye`),
	acks: lines("alright\nok\nyeah\nright\nkeep going\nwith you so far\nokay and after that\nmhm\nsure\nand " +
		"the next four"),
	corrections: lines("oh no wait\nmy mistake\noops\nhold on no\ncorrection\nlet me start over\nno i read that wrong"),
	refusals:    lines("nope\nnot quite it's\nno listen\nwrong it is"),
	readBacks:   lines("just to confirm i've got\nthat's\nlet me repeat\nokay you said\nto verify"),
	yes:         lines("right\nthat is it\nperfect\nyeah you got it\nuh-huh"),
	first:       strings.Fields("olivia kevin patricia brian angela george nancy steven laura thomas"),
	last:        strings.Fields("walker hernandez campbell mitchell parker edwards collins stewart sanchez morris"),
	topics: map[Kind][]string{
		Card: lines(`
A: alright how would you like to pay / C: debit card / A: whenever you're ready / C: it is {card} / A: and what's the exp date on that / C: {expiry} / A: last thing the cvc / C: {security}
C: let me give you my discover it's {card} expiring {expiry} and the three numbers on the back are {security} / A: processing
A: i'll take the long number across the front of your card / C: one second okay {card} / A: and the expiry month and year / C: {expiry} / A: verification code / C: {security}
C: which card do you have on file / A: the one that ends in {last} / C: that one is stolen use this one {card} / A: and it's good through / C: {expiry}
A: what form of payment / C: american express {card} / A: expiration please / C: {expiry} / A: and that security number / C: {security}
A: could you read off the digits of the card for me / C: yeah sure {card} / A: fantastic expires when / C: {expiry}
C: my credit card was declined can you check it {card} / A: what is the expiration / C: {expiry} / A: flip it over and give me those three digits / C: {security}`),
		Social: lines(`
A: i'll need your ssn to pull the credit report / C: ok {social}
A: and lastly your social please / C: alright that's {social}
C: do you need my social it's {social} / A: perfect
A: could you confirm the last four digits of your social security number / C: yup {last}
A: what is your tax id or social / C: {social}`),
		Phone: lines(`
A: is there a number where we can reach you / C: yeah {phone}
C: give me a ring at {phone} / A: will do
A: what is the mobile number you would like to add / C: {phone}
A: what telephone number is this about / C: {phone}
C: the number i'm calling from is {phone} / A: i see it
A: you can dial {phone} for technical support / C: let me write that down`),
		Birthdate: lines(`
A: when were you born / C: {birthdate}
A: and your birth date please / C: that would be {birthdate}
A: just the dob and we are done / C: {birthdate}
C: my birthday is {birthdate} / A: happy belated birthday`),
		Account: lines(`
C: the account is {account} / A: got you
A: could you read me the customer id from the top of the letter / C: it says {account}
A: what's your policy number / C: {account}
A: and the routing number / C: {account}`),
		Order: lines(`
C: the invoice number i have here is {order} / A: let me find it
A: your case number is {order} please write it down / C: okay
A: which ticket number is it / C: {order}
C: the serial number on the box says {order} / A: thanks`),
		Zip: lines(`
A: what zip are you in / C: {zip}
A: can you confirm the postal code for the delivery / C: {zip}`),
		Price: lines(`
A: so with tax that comes out to {price} / C: alright
C: you took {price} out of my checking / A: i can see that
A: the late fee is {price} / C: wow
C: they quoted me {price} for it / A: i can match that`),
		Date: lines("A: the warranty ran out on {date} / C: oh\nC: the last bill was dated {date} / A: okay\nC: " +
			"can we do {date} instead / A: let me look"),
		Clock: lines("A: they will be there at {clock} / C: fine\nC: could somebody call me around {clock} / A: " +
			"sure thing"),
		Count: lines("C: give me {count} then / A: done\nA: how many guests / C: {count} please"),
		LastFour: lines("A: shall i use the mastercard that ends in {lastfour} / C: please\nC: the card on my " +
			"account is the one ending with {lastfour} / A: correct"),
		Email: lines("A: where should i email the receipt / C: {email}\nC: send it to {email} / A: alright\nA: which " +
			"email do you use / C: um {email}"),
		Name: lines(`
C: my name's {name} / A: nice to meet you
A: and you are / C: {name}
C: hello my name is {first} / A: hi
A: can i get your full name / C: {name} / A: thank you
C: you are speaking with {name} / A: thank you`),
	},
}, {
	opening: lines(`
A: claims department this is the automated line ending now how may i direct you / C: hi my car was hit by a truck on route nine
A: hello thanks for choosing us what is going on today / C: morning i lost my wallet and i am in a panic
A: you have reached collections / C: yes i got two letters this week
A: pharmacy speaking / C: hello i want to refill something for my mother she is eighty one`),
	talk: lines(`
A: the system is loading give it a second / C: of course
C: it was two or three weeks ago i believe / A: alright
A: you were on the old tariff with six gigabytes / C: and now
A: now you have twenty for the same money / C: sounds good
C: my son is seventeen and my daughter is nine / A: then they need a parent's consent
A: our hours are eight thirty to six / C: got it
C: i have lived in apartment twelve since nineteen ninety eight / A: wow
A: you saved about fifteen percent / C: that's something
C: it only has one bar of signal in the kitchen / A: have you tried restarting it
A: please take two of them twice a day / C: with food
A: delivery takes between five and seven days / C: that long
C: nobody told me about the thirty day limit / A: it is on page four of the contract
A: let me put you on hold for one or two minutes / C: fine by me
C: they sent me size ten instead of eleven / A: i am so sorry about that`),
	closing: lines(`
A: anything further / C: no that will be all / A: take care now
C: appreciate it / A: no trouble at all
A: please stay on the line for a one minute survey / C: bye`),
	acks: lines("k\nyep got that\nperfect\nsure\nand\nthank you go on\nyes i'm listening\nmm\nalrighty\nthen"),
	corrections: lines("no no\nuh sorry that's wrong\nwait a second\nnot that i mean\nlet me look " +
		"again\nrather\napologies it's"),
	refusals:  lines("no no no\nno sir\nnegative\nthat's not it it's\nalmost"),
	readBacks: lines("i'll repeat that\nso\nif i heard you right it's\nfor the record\nokay i put down"),
	yes:       lines("exactly\nyou got it\nyes ma'am\naffirmative\ngood"),
	first:     strings.Fields("emily joshua rebecca frank diane carlos megan peter julia walter"),
	last:      strings.Fields("bennett fitzgerald okafor schneider nguyen delgado whitaker lindqvist abbott romano"),
	topics: map[Kind][]string{
		Card: lines(`
A: how do you want to take care of the balance / C: with a credit card / A: i'm ready when you are / C: alright the number is {card} / A: expiry / C: {expiry} / A: and the three digits by the signature / C: {security}
C: put it on my visa please {card} / A: when does that one run out / C: it expires {expiry} / A: cvv / C: {security}
A: tell me the card number slowly please / C: {card} / A: valid until / C: {expiry} / A: now the security code / C: {security}
C: i'd like to update the card you have on file / A: what is the new number / C: it is {card} / A: exp / C: {expiry} / A: code on the back / C: {security}
A: and which card are we using / C: mastercard / A: number please / C: {card} / A: its expiration date / C: {expiry} / A: and its cvc number / C: {security}
C: my debit card got stolen / A: i can freeze it do you have the number at hand / C: i wrote it down somewhere here {card} / A: thank you
A: may i have all sixteen numbers on the front of the card / C: let me put on my glasses {card} / A: and the month and year it expires / C: {expiry}`),
		Social: lines(`
A: to open the file i have to ask for your social security / C: i don't like giving that out but okay {social}
A: your full social please / C: {social}
C: you want my social security number right it's {social} / A: thanks
A: i just need to verify the last four of the social / C: {last}
A: what social is the policy under / C: my husband's {social}`),
		Phone: lines(`
A: should we get cut off what number can i call you back on / C: {phone}
A: and is your cell still the same / C: no it's {phone} now
C: please call my daughter her number is {phone} / A: okay
A: a daytime phone / C: {phone}
C: text me at {phone} when it is ready / A: will do
A: their telephone is {phone} / C: thank you`),
		Birthdate: lines(`
A: the patient's date of birth / C: {birthdate}
A: and you were born on / C: {birthdate}
A: can i verify your birthday / C: sure {birthdate}
C: her date of birth is {birthdate} / A: i found her`),
		Account: lines(`
A: what's the number of the account / C: hold on {account}
C: member id is {account} / A: thank you
A: read me the policy number from your card please / C: {account}
C: the loan number is {account} / A: i have it`),
		Order: lines(`
C: i have a claim number here {order} / A: perfect
A: the prescription number is on the label / C: {order}
A: here is your reference number {order} / C: let me get a pen
C: flight confirmation {order} / A: one moment`),
		Zip: lines(`
A: zip code where you live / C: {zip}
A: and what zip code is the card registered to / C: {zip}`),
		Price: lines(`
A: you owe {price} as of today / C: that much
C: the estimate was {price} / A: including parts
A: your copay is {price} / C: okay
C: i paid {price} already / A: i see the payment`),
		Date: lines("A: your appointment is on {date} / C: good\nC: the accident happened {date} / A: i see\nA: " +
			"the policy starts {date} / C: alright"),
		Clock: lines("A: can you come in at {clock} / C: i think so\nC: it happened around {clock} / A: okay"),
		Count: lines("A: how many pills are left / C: {count}\nC: there were {count} people in the car / A: okay"),
		LastFour: lines("A: is the card with the last four digits {lastfour} still good / C: it is\nA: we charged " +
			"the card ending in {lastfour} / C: that is mine"),
		Email: lines("A: do you have an email / C: yes it's {email}\nA: what's a good email for you / C: {email}\nC: " +
			"you can write to me at {email} / A: okay"),
		Name: lines(`
A: and who is this / C: this is {name}
A: under what name is it / C: {name}
C: my name is {name} and i am calling for my mother / A: alright
A: your name please / C: {first}
C: is this the manager i am speaking with {first} right / A: yes`),
	},
}, {
	opening: lines(`
A: utilities helpline which address is this regarding / C: uh forty two maple court
A: hi there you're through to sales / C: hi i saw the offer for nineteen ninety nine a month
A: help desk / C: my laptop shows error five hundred and three since yesterday
A: thank you for waiting you were number seven in the queue / C: finally`),
	talk: lines(`
A: i'm just going to check that with my team / C: yeah no rush
C: the kids watch it on four devices at once / A: that would explain it
A: your contract has eleven months left / C: oh that's a pity
C: i drove thirty miles for nothing / A: that must have been annoying
A: we can do a hundred now and the rest in june / C: that works better
C: my first bill was twice as high as the second one / A: because of the setup fee
A: unplug it for sixty seconds please / C: hang on / A: is it back / C: two lights are on
C: so there's one thing i don't understand / A: tell me
A: you have six thousand bonus points / C: what do i get for them
C: channel five and channel seven are missing / A: i will refresh the box
A: it can be ten degrees colder upstairs / C: it is
C: this is the third time this month / A: i understand
A: version nine of the app fixes that / C: let me update it then`),
	closing: lines(`
A: happy to help bye now
C: cheers / A: good bye
A: your feedback matters you can rate this call from one to five / C: i'd say five`),
	acks: lines("yes\nright okay\ngo for it\nalright then\nmhm carry on\nand after\ni'm with " +
		"you\nrighto\nsuper\nplease continue"),
	corrections: lines("no that's not right\nhang on\nsilly me\nlet me redo that\nno no no\nscratch it\nmy bad"),
	refusals:    lines("no it was\nalmost it's\nuh no\nhmm no i think i said"),
	readBacks:   lines("great let me double check\nreading back\nyou gave me\nthat makes it\nso i wrote"),
	yes:         lines("spot on\ncorrect\nthat's the one\nyes sir\nyou have it"),
	first:       strings.Fields("grace victor yolanda howard simone pablo irene derek fiona malcolm"),
	last:        strings.Fields("castellano brightwood novak oyelaran hutchinson mcallister vasquez lindgren petrov dubois"),
	topics: map[Kind][]string{
		Card: lines(`
A: we can settle that right now by card / C: okay hang on it's a visa {card} / A: expires / C: {expiry} / A: and the security code / C: {security}
C: can i pay by credit card / A: of course what's the number / C: {card} / A: and the expiry please / C: {expiry} / A: and the last three digits on the back / C: {security}
A: please read out the card number for me / C: {card} / A: and when is it valid to / C: it says {expiry} / A: finally the cvv code / C: {security}
C: i want to change my payment method / A: which card will it be / C: an american express {card} / A: expiration month and year / C: {expiry} / A: and the four digit code from the front / C: {security}
A: the payment with your mastercard bounced / C: then take my other card {card} / A: what date does it expire / C: {expiry} / A: three digit code / C: {security}
C: i think my credit card number was leaked {card} / A: i will replace it
A: go ahead with your discover card / C: the number is {card} with the expiration {expiry} / A: and the code / C: {security}`),
		Social: lines(`
A: what are the nine digits of your social / C: {social}
A: and could i get your social security number / C: {social}
C: here is my social {social} / A: perfect
A: it asks for the last four of your ssn / C: {last}
A: i have to match your social with the credit bureau / C: sure {social}`),
		Phone: lines(`
A: which phone number is on the account / C: should be {phone}
C: my phone number changed it's {phone} / A: updated
A: what would be the best contact number / C: {phone}
C: tell the driver to call me at {phone} / A: noted
A: you can reach the other department at {phone} / C: got it
A: what cell number should the code go to / C: {phone}`),
		Birthdate: lines(`
A: tell me your date of birth / C: {birthdate}
A: your birthday is / C: {birthdate}
A: i also need the account holder's birth date / C: he was born {birthdate}
A: date of birth for security / C: {birthdate}`),
		Account: lines(`
A: account number / C: {account}
C: i have my customer number here {account} / A: great
A: what account number shows on your bill / C: {account}
C: the meter number is {account} / A: thanks`),
		Order: lines(`
C: my order number was {order} / A: found it
A: your booking reference is {order} / C: thanks
C: it's about ticket {order} / A: let me see
A: can you see the tracking number / C: {order}`),
		Zip: lines(`
A: your zip code please / C: {zip}
C: we're in zip code {zip} / A: okay`),
		Price: lines(`
A: that brings it to {price} / C: fine
C: why is my bill {price} / A: let me explain
A: the deposit would be {price} / C: hm
C: it cost me {price} / A: i see`),
		Date: lines("A: it was shipped {date} / C: hm\nC: i signed up {date} / A: correct\nA: your next bill is " +
			"due {date} / C: okay"),
		Clock: lines("A: the engineer arrives at {clock} / C: alright\nC: the power went out at {clock} / A: we know"),
		Count: lines("A: how many routers are there / C: {count}\nC: {count} of my neighbors have it too / A: " +
			"interesting"),
		LastFour: lines("A: that is the card ending in {lastfour} / C: yes\nC: did you charge the one with the last " +
			"four {lastfour} / A: yes"),
		Email: lines("A: please spell out your email / C: {email}\nC: the email is {email} / A: thank you\nA: can i " +
			"have an email for the invoice / C: {email}"),
		Name: lines(`
A: whom am i speaking to / C: {name}
A: could i take your name / C: {name}
C: my name is {name} / A: welcome
C: good day this is {name} from the second floor / A: hello
A: what's the name on the account / C: it's under {name}`),
	},
}, {
	opening: lines(`
A: hotel front desk good evening / C: hello i stayed in room three twelve last weekend
A: city library membership desk / C: hi i got a late notice for two books
A: insurance hotline what happened / C: hail broke one of my windows
A: welcome to the travel line / C: hi my flight leaves in six hours and i have a question`),
	talk: lines(`
A: let me see what our policy says about that / C: sure thing
C: there were three of us in the room and one slept on the couch / A: oh dear
A: breakfast is from six thirty to ten / C: lovely
C: the air conditioning was set to sixty eight and it was freezing / A: i will pass that on
A: you get free cancellation up to forty eight hours before / C: i missed that by one hour
C: it took them ninety minutes to bring the towels / A: that's unacceptable
A: gate twenty two is a ten minute walk from there / C: okay
C: i fly about once or twice a year / A: then the silver tier makes sense
A: each passenger may bring two bags / C: and a small one
C: the book was on my shelf for five years / A: that happens
A: we closed that branch in two thousand and twelve / C: really
C: i am number one on the waiting list / A: almost there
A: it covers up to eighty percent of the damage / C: what about the other twenty`),
	closing: lines(`
A: safe travels / C: thank you
C: that answers it / A: good to hear
A: is that everything for today / C: it is thanks / A: bye`),
	acks: lines("yes please\ngot that part\ncheck\nyeah go on\nnoted\nuh huh\nall right next\nthat's in\nokay " +
		"what comes next\nfine"),
	corrections: lines("oh wait i misread\nsorry one more time\ni mixed it up\nno forget that\nstrike that\nhmm no"),
	refusals:    lines("no sorry\nyou misheard me\nnot exactly it's\nno no it goes"),
	readBacks:   lines("may i repeat\ni have noted\nlet me say it back to you\nthen it is\njust making sure"),
	yes:         lines("yes that is it\nprecisely\nright you are\nthat matches\nyes please go ahead"),
	first:       strings.Fields("martin angela rupert lydia oscar vanessa neil bridget hector joan"),
	last: strings.Fields("kowalski santiago underhill pemberton aguilar winslow ferreira odell khatri " +
		"macdonald"),
	topics: map[Kind][]string{
		Card: lines(`
A: to hold the room i need a credit card / C: okay it's {card} / A: and it expires in / C: {expiry} / A: and the cvv on the back / C: {security}
C: i'll pay the fine with my debit card / A: go ahead and give me the card number / C: {card} / A: expiration date please / C: {expiry} / A: and the three digit security code / C: {security}
A: can you tell me the sixteen digit number on your card / C: sure {card} / A: good and the expiry date / C: {expiry} / A: the code on the reverse / C: {security}
C: charge my mastercard then / A: what is the number / C: {card} / A: the expiration / C: {expiry} / A: cvc please / C: {security}
A: the visa we have expired could you give me the new card number / C: it's the same no sorry it's {card} / A: new expiration date / C: {expiry}
C: someone charged my amex the number is {card} / A: we will dispute that`),
		Social: lines(`
A: the form asks for a social security number / C: that's {social}
A: do you know your social by heart / C: yes {social}
C: i can give you my social {social} / A: that works
A: please confirm the last four of your social / C: {last}
A: and her social security number / C: one moment {social}`),
		Phone: lines(`
A: can i get a phone number for the booking / C: {phone}
C: my mobile is {phone} if anything changes / A: saved
A: what's the phone number on your library account / C: {phone}
C: please call the hotel at {phone} / A: will do
A: and the number to reach you during the trip / C: {phone}
A: let me give you our direct number it's {phone} / C: thanks`),
		Birthdate: lines(`
A: date of birth of the passenger / C: {birthdate}
A: can you give me your birthdate / C: {birthdate}
C: my daughter was born {birthdate} / A: so she travels as a child
A: for verification your date of birth please / C: {birthdate}`),
		Account: lines(`
A: your frequent flyer number / C: {account}
C: my membership number is {account} / A: thanks
A: what's the policy number on your documents / C: {account}
A: and your library account number / C: {account}`),
		Order: lines(`
C: the reservation number is {order} / A: found it
A: your claim number is {order} / C: writing it down
A: what is your booking number / C: {order}
C: i am looking at invoice number {order} / A: okay`),
		Zip: lines(`
A: what is the zip code of your billing address / C: {zip}
C: it happened in zip code {zip} / A: okay`),
		Price: lines(`
A: the room was {price} a night / C: okay
C: you billed me {price} for the minibar / A: let me check
A: the fine is {price} / C: ouch
A: the deductible is {price} / C: i see`),
		Date: lines("C: i checked in {date} / A: yes\nA: the books were due {date} / C: sorry\nC: the storm was " +
			"{date} / A: thank you"),
		Clock: lines("A: checkout is at {clock} / C: fine\nC: it started at {clock} / A: i see"),
		Count: lines("A: how many nights / C: {count}\nC: we lost {count} suitcases / A: i am sorry"),
		LastFour: lines("A: it was charged to the card ending in {lastfour} / C: mine\nA: the last four digits are " +
			"{lastfour} / C: yes that is my card"),
		Email: lines("A: what email should the confirmation go to / C: {email}\nC: mail it to {email} / A: sent\nA: " +
			"your email address / C: {email}"),
		Name: lines(`
A: what name is the reservation under / C: {name}
C: hello this is {name} calling about a booking / A: hi
A: may i have the name on the policy / C: {name}
C: my name is {name} and i need help / A: sure
A: and your name / C: {first}`),
	},
}, {
	opening: lines(`
A: phone and internet orders this is the billing desk / C: hi i was double charged in october
A: clinic reception how can i help / C: i need to move my appointment from the ninth to the sixteenth
A: thanks for calling the warranty center / C: the dishwasher is only fourteen months old and it leaks
A: university parking office / C: hello i got two tickets in one day`),
	talk: lines(`
A: give me just a second here / C: mm okay
C: i already talked to three different people / A: i will make sure it is solved today
A: there is a fee of twenty five for that / C: since when
C: it worked fine for the first two weeks / A: and after that
A: we will send someone within four hours / C: great
C: it shows error code seven on the display / A: that is the pump
A: lot c has two hundred spaces and it is free after five / C: i did not know
C: my wife and i have been customers for twenty years / A: we value that
A: you can appeal within fourteen days / C: how do i do that
A: page three of the form is optional / C: okay
C: the part was on back order for six weeks / A: it has arrived now
A: next available is in ten days / C: nothing earlier
C: i can do tuesday or any day after the first / A: let me look`),
	closing: lines(`
A: have a good one / C: you as well
C: okay that is all / A: thanks for calling
A: i have noted everything on your file bye / C: bye`),
	acks: lines("yep\nand then\ntyping that in\nokay keep reading\nyou can continue\nmm okay\nthank you\nall " +
		"good so far\nwhat else\nright"),
	corrections: lines("no wait that's a different one\nsorry i skipped one\nexcuse me\nlet me read it again\nno " +
		"it's\noops sorry"),
	refusals:  lines("no you missed one\nclose but it's\nsorry no\nuh-uh"),
	readBacks: lines("okay i heard\nchecking that\nso it's\nlet me confirm\nperfect so"),
	yes:       lines("yes\nmhm that's right\nyou got it\ncorrect sir\nthat's what it says"),
	first:     strings.Fields("beatrice gordon tamara elliot judith raymond celeste marcus nadine wesley"),
	last:      strings.Fields("holloway ramirez abernathy kowalczyk stanton ibarra fairbanks mbeki lowenstein tran"),
	topics: map[Kind][]string{
		Card: lines(`
A: i can take a card over the phone / C: alright it's a mastercard {card} / A: the expiration on it / C: {expiry} / A: and the three digit number on the back / C: {security}
C: i want to pay both tickets with my visa card {card} / A: and when does it expire / C: {expiry} / A: cvv please / C: {security}
A: may i have the credit card number / C: of course {card} / A: thank you expiration month and year / C: {expiry} / A: and the security code / C: {security}
A: the debit card we have was declined do you have another one / C: try this one {card} / A: exp date / C: {expiry} / A: and the code on the back please / C: {security}
C: do you take american express / A: we do / C: okay the number is {card} expires {expiry} / A: and the four digit code on the front / C: {security}
C: i read you my card number last time it was {card} / A: that one was expired / C: oh then it is now {expiry}`),
		Social: lines(`
A: could you give me your social security number please / C: sure it is {social}
A: the last four of your social please / C: {last}
C: do you go by social / A: yes we do / C: okay {social}
A: and the patient's social / C: {social}
A: i need a social security number for the credit check / C: alright {social}`),
		Phone: lines(`
A: what is the best phone number for the technician / C: {phone}
A: is this still your phone number {phone} / C: yes
C: call my cell please it's {phone} / A: okay
A: your telephone number please / C: {phone}
C: can you text the confirmation to {phone} / A: done
A: the repair shop can be reached at {phone} / C: thanks`),
		Birthdate: lines(`
A: what's your date of birth / C: {birthdate}
A: patient's birthday please / C: {birthdate}
C: i was born on {birthdate} / A: great
A: just confirm your date of birth for me / C: {birthdate}`),
		Account: lines(`
A: student id number please / C: {account}
C: the account number is {account} / A: one second
A: can i have your customer number / C: it's {account}
C: my insurance member id is {account} / A: thanks`),
		Order: lines(`
A: what is the serial number of the dishwasher / C: {order}
C: the ticket numbers are {order} and the other one is at home / A: okay
A: the case number will be {order} / C: let me write that
C: i have an order number {order} / A: perfect`),
		Zip: lines(`
A: and the zip code there / C: {zip}
C: it's zip {zip} / A: okay`),
		Price: lines(`
A: the total for both is {price} / C: alright
C: they wanted {price} for the repair / A: it is under warranty
A: your payment of {price} went through / C: thank you
C: i got charged {price} twice / A: let me refund one`),
		Date: lines("C: i bought it on {date} / A: okay\nA: the visit was {date} / C: right\nC: it stopped " +
			"working {date} / A: i see"),
		Clock: lines("A: your appointment is at {clock} / C: okay\nC: i parked at {clock} / A: alright"),
		Count: lines("A: how many people live with you / C: {count}\nC: i have {count} cars / A: okay"),
		LastFour: lines("A: refunded to the card ending in {lastfour} / C: good\nA: is it the card with last four " +
			"{lastfour} / C: that is the one"),
		Email: lines("A: what's the best email / C: {email}\nC: please email me at {email} / A: okay\nA: could you " +
			"confirm your email address / C: {email}"),
		Name: lines(`
A: your name please / C: {name}
C: my name is {name} i have a ten o'clock / A: yes i see you
A: can i get the patient's first and last name / C: {name}
A: who am i speaking with today / C: {name}
C: hi this is {name} / A: hi`),
	},
}}
