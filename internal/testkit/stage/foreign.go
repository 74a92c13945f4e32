package stage

import "strings"

// foreignTalk are conversations in other languages, a line each, the agent first.
var foreignTalk = map[string]string{
	"es-ES": `Gracias por llamar a Northwind, ¿en qué puedo ayudarle?
Buenos días, tengo una pregunta sobre mi factura. Me han cobrado dos veces.
Lo siento mucho. ¿Me puede decir su número de cliente?
Sí, es cuatro, siete, uno, dos.
Gracias. Veo dos pagos del mismo día. Le devolvemos uno hoy mismo.
Perfecto, muchas gracias por su ayuda.
De nada. Que tenga un buen día.`,
	"de-DE": `Guten Tag, hier ist Northwind. Wie kann ich Ihnen helfen?
Hallo, mein Internet ist seit Montag sehr langsam.
Das tut mir leid. Haben Sie den Router schon neu gestartet?
Ja, zweimal. Das rote Licht leuchtet immer noch.
Dann schicke ich Ihnen heute einen neuen Router.
Vielen Dank, das ist sehr nett.
Gern geschehen. Auf Wiederhören.`,
	"he-IL": `שלום, הגעתם ל-Northwind. איך אפשר לעזור?
שלום, יש לי שאלה על החשבון שלי. חויבתי פעמיים ב-49 דולר.
אני מצטערת לשמוע. מה מספר הלקוח שלך?
המספר הוא 4712, ושמי דניאל כהן.
תודה דניאל. אני רואה שני תשלומים באותו יום, ואחזיר לך אחד מהם היום.
מצוין, תודה רבה על העזרה.
בבקשה, יום נעים!`,
	"ar-EG": `شكرا لاتصالك بشركة Northwind، كيف يمكنني مساعدتك؟
مرحبا، لدي سؤال عن الفاتورة. دفعت 49 دولارا مرتين.
أنا آسفة لذلك. ما هو رقم العميل من فضلك؟
الرقم هو 4712 واسمي كريم حسن.
شكرا يا كريم. أرى دفعتين في نفس اليوم، وسأعيد لك واحدة منهما اليوم.
ممتاز، شكرا جزيلا.
على الرحب والسعة، مع السلامة.`,
	"zh-CN": `您好，这里是北风公司，请问有什么可以帮您？
你好，我想问一下我的账单，我被收了两次费用。
非常抱歉，请问您的客户号码是多少？
号码是四七一二。
谢谢，我看到同一天有两笔付款，今天就退给您一笔。
太好了，谢谢您的帮助。
不客气，祝您愉快，再见。`,
}

// lines returns the conversation in a language.
func lines(language string) (all []Line) {
	for n, text := range strings.Split(foreignTalk[language], "\n") {
		all = append(all, Line{n % 2, text})
	}
	return all
}

// foreign returns a conversation with the lines of another language.
func foreign(language string, t Talk) Talk {
	t.Lines, t.Topic = lines(language), map[string]string{"es-ES": "Factura", "de-DE": "Langsames Internet"}[language]
	return t
}
