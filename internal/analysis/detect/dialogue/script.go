package dialogue

import "strings"

// script is the sentences of calls. A stands for the agent, C for the caller; values stand in braces.
type script struct {
	opening, talk, closing, acks, corrections, refusals, readBacks, yes []string
	first, last                                                         []string // names
	topics                                                              map[Kind][]string
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

// scripts are the sentences to make detectors with, and those to hold back.
var scripts = [2]*script{{
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
		Date:     lines("A: when did you move in / C: it was {date}\nC: i paid that on {date} / A: i see\nA: the technician can come {date} / C: okay that works"),
		Clock:    lines("A: does {clock} work for you / C: yes\nC: i called at {clock} / A: okay"),
		Count:    lines("A: how many lines do you have / C: {count}\nC: i need {count} of them / A: sure"),
		LastFour: lines("A: i see a card ending in {lastfour} / C: yes use that one\nA: is it the visa with the last four {lastfour} / C: yes"),
		Email:    lines("A: what's your email address / C: it's {email}\nA: and the email / C: {email} / A: thanks\nC: my email is {email} / A: got it"),
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
	acks:        lines("alright\nok\nyeah\nright\nkeep going\nwith you so far\nokay and after that\nmhm\nsure\nand the next four"),
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
		Date:     lines("A: the warranty ran out on {date} / C: oh\nC: the last bill was dated {date} / A: okay\nC: can we do {date} instead / A: let me look"),
		Clock:    lines("A: they will be there at {clock} / C: fine\nC: could somebody call me around {clock} / A: sure thing"),
		Count:    lines("C: give me {count} then / A: done\nA: how many guests / C: {count} please"),
		LastFour: lines("A: shall i use the mastercard that ends in {lastfour} / C: please\nC: the card on my account is the one ending with {lastfour} / A: correct"),
		Email:    lines("A: where should i email the receipt / C: {email}\nC: send it to {email} / A: alright\nA: which email do you use / C: um {email}"),
		Name: lines(`
C: my name's {name} / A: nice to meet you
A: and you are / C: {name}
C: hello my name is {first} / A: hi
A: can i get your full name / C: {name} / A: thank you
C: you are speaking with {name} / A: thank you`),
	},
}}
