// Nederlands. Same shape as en.ts. Not yet reviewed by a native speaker.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Je hebt nog één poging.' : `Je hebt nog ${count} pogingen.`;
const accounts = (count: number) => (count === 1 ? 'één rekening' : `${count} rekeningen`);
const number = new Intl.NumberFormat('nl');
const transactions = (count: number) =>
  count === 1 ? '1 transactie' : `${number.format(count)} transacties`;
const lowerFirst = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;

export const nl: Texts = {
  title: 'Verbind je bank',
  close: 'Sluiten',
  back: 'Terug',
  done: 'Klaar',
  loading: 'Een moment…',
  offline: 'Geen verbinding. Nieuwe poging…',
  sandbox: 'Sandbox: niet verbonden met een echte bank',
  noHost: 'Deze pagina hoort bij een andere app. Ga terug naar die app en verbind je bank daar.',

  leave: {
    title: 'Stoppen zonder af te ronden?',
    text: (application) => `Het verbinden van je bank met ${application} is nog niet afgerond.`,
    importing: 'Je transacties worden nog opgehaald. Als je nu stopt, moet je opnieuw beginnen.',
    stay: 'Doorgaan',
    leave: 'Stoppen',
  },

  consent: {
    agree: 'Akkoord en doorgaan',
  },

  institution: {
    title: 'Kies je bank',
    search: 'Banken zoeken',
    found: (count) => (count === 1 ? '1 bank gevonden' : `${count} banken gevonden`),
    notFound: (search) => `Geen resultaten voor ‘${search}’`,
    notFoundHint: 'Controleer de spelling of typ een deel van de naam.',
    clear: 'Wissen',
    business: 'zakelijk',
    beta: 'bèta',
    notListed: 'Mijn bank staat er niet bij',
    notListedTitle: 'Je bank is nog niet beschikbaar',
    notListedHint: (application) => `Laat ${application} weten welke bank je nodig hebt, of kies een andere.`,
    backToList: 'Terug naar de lijst',
    noInstitutions: 'Nog geen banken beschikbaar',
    noInstitutionsHint: (application) =>
      `${application} heeft nog geen banken toegevoegd. Probeer het later opnieuw.`,
  },

  credentials: {
    optional: 'optioneel',
    title: (bank) => `Inloggen bij ${bank}`,
    reconnect: (bank) =>
      `Je verbinding met ${bank} vraagt aandacht. Log opnieuw in om je gegevens actueel te houden.`,
    lead: 'Gebruik dezelfde gegevens als op de website van je bank.',
    ownPage: (bank) => `Je logt in op de pagina van ${bank}.`,
    signIn: 'Inloggen',
    toOwnPage: (bank) => `Doorgaan naar ${bank}`,
    show: 'Tonen',
    hide: 'Verbergen',
    missing: (label) => `Vul je ${lowerFirst(label)} in`,
    help: (bank) => `Hulp van ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Versleuteld, door ${operator} naar ${bank} gestuurd en alleen bewaard om je gegevens bij te werken.`
        : `Versleuteld, naar ${bank} gestuurd en alleen bewaard om je gegevens bij te werken.`,
  },

  labels: {
    username: () => 'Gebruikersnaam',
    email: () => 'E-mailadres',
    customer_number: () => 'Klantnummer',
    password: () => 'Wachtwoord',
    pin: () => 'Pincode',
    code_sms: (value) => (value ? `Code uit de sms naar ${value}` : 'Code uit de sms'),
    code_call: (value) => (value ? `Code uit het telefoontje naar ${value}` : 'Code uit het telefoontje'),
    code_email: (value) => (value ? `Code uit de e-mail naar ${value}` : 'Code uit de e-mail'),
    code_app: (value) => `Code uit ${value ?? 'je authenticatie-app'}`,
    code_device: (value) => `Code uit je kaartlezer${value ? ` voor ${value}` : ''}`,
    choose_method: () => 'Hoe wil je je code ontvangen?',
    choose_tan_method: () => 'Welke TAN-methode wil je gebruiken?',
    choose_tan_medium: () => 'Welk apparaat wil je gebruiken?',
    method_sms: (value) => (value ? `Sms naar ${value}` : 'Sms'),
    method_call: (value) => (value ? `Telefoontje naar ${value}` : 'Telefoontje'),
    method_email: (value) => (value ? `E-mail naar ${value}` : 'E-mail'),
    method_app: (value) => (value ? `App ${value}` : 'App van je bank'),
    approve_app: (value) =>
      value
        ? `Open de app ${value} en keur deze inlogpoging goed.`
        : 'Open de app van je bank en keur deze inlogpoging goed.',
    picture: () => 'Tekens in de afbeelding',
    choose_account_use: () => 'Waarvoor gebruik je de rekening?',
    use_personal: () => 'Privé',
    use_business: () => 'Zakelijk',
    open_bank_page: () => 'Ga verder op de pagina van je bank',
  },

  errors: {
    wrong_credentials: (bank) =>
      `${bank} heeft deze gegevens niet geaccepteerd. Controleer ze en probeer het opnieuw.`,
    wrong_answer: (bank) => `${bank} heeft dit antwoord niet geaccepteerd. Probeer het opnieuw.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Te veel pogingen. Er is niets naar je bank gestuurd. Probeer het over ${minutes === 1 ? '1 minuut' : `${minutes} minuten`} opnieuw.`,
  },

  challenge: {
    code: 'Vul je beveiligingscode in',
    question: 'Beantwoord je beveiligingsvraag',
    choice: 'Kies hoe je bevestigt',
    approval: 'Keur goed in de app van je bank',
    image: 'Vul de tekens in die je ziet',
    imageCode: 'Scan deze afbeelding voor je code',
    imageAlt: 'Afbeelding van je bank',
    lead: (bank) => `${bank} moet controleren of jij het bent.`,
    leadReading: (bank) =>
      `${bank} vraagt nog een keer om bevestiging voordat je transacties worden gedeeld.`,
    verify: 'Controleren',
    next: 'Doorgaan',
    checkAgain: 'Opnieuw controleren',
    waiting: 'Wachten op je goedkeuring…',
    stillWaiting:
      'We hebben je goedkeuring nog niet ontvangen. Open de app van je bank, keur de inlogpoging goed en controleer opnieuw.',
    chooseOne: 'Kies een optie om door te gaan.',
    missingCode: 'Vul de code in.',
    missingAnswer: 'Vul je antwoord in.',
    resend: 'Opnieuw sturen',
    resendIn: (seconds) => `Opnieuw sturen over ${seconds} s`,
    resent: 'Opnieuw gestuurd.',
    otherMethod: 'Andere manier proberen',
    digits: (min, max) => (min === max ? `Vul alle ${min} cijfers in.` : `Vul ${min} tot ${max} cijfers in.`),
    characters: (min, max) =>
      min === max ? `Vul alle ${min} tekens in.` : `Vul ${min} tot ${max} tekens in.`,
  },

  redirect: {
    title: (bank) => `Verder bij ${bank}`,
    lead: (bank) => `${bank} opent in een nieuw venster. Log daar in, dan kom je hier automatisch terug.`,
    open: (bank) => `${bank} openen`,
    waiting: (bank) => `Rond het inloggen bij ${bank} af`,
    waitingLead: 'Laat dit venster open. Het gaat verder zodra je bent ingelogd.',
    openAgain: 'Pagina van de bank opnieuw openen',
    closed: 'Het andere venster is gesloten. Open het opnieuw of vul de getoonde code in.',
    blocked: 'Geen venster gezien? Sta pop-ups toe voor deze pagina en open het opnieuw.',
    code: 'Code uit het andere venster',
    codeHint: 'Alleen als je na het inloggen een code hebt gezien.',
    missing: 'Vul de code in of rond het inloggen bij je bank af.',
    wrongCode: 'Deze code hoort niet bij je inlogpoging. Controleer hem en probeer het opnieuw.',
  },

  returned: {
    codeTitle: 'Nog één stap: vul deze code in',
    codeLead: (application, bank) => `Vul hem in het venster in waar je ${bank} met ${application} verbindt.`,
    nativeLead: (application, bank) =>
      `Ga terug naar ${application} om ${bank} te verbinden. Vul deze code in als erom wordt gevraagd.`,
    backTo: (application) => `Terug naar ${application}`,
    warning: (application) =>
      `Heeft iemand anders je hierheen gestuurd? Sluit deze pagina: met deze code kan die je bank met een eigen ${application}-account verbinden.`,
    done: 'Je bent hier klaar',
    close: 'Je kunt dit venster sluiten.',
    ended: 'Deze pagina is verlopen',
    endedLead:
      'Ga terug naar het venster waar je je bank verbindt. Is dat gesloten, begin dan opnieuw in de app of op de website.',
  },

  accounts: {
    title: 'Kies rekeningen om te delen',
    lead: (application) => `${application} ziet alleen de rekeningen die je kiest.`,
    removed: (days) =>
      `Rekeningen die je weglaat, worden niet meer bijgewerkt. Ze blijven ${days} leesbaar en worden dan verwijderd.`,
    historyUntil: (time) => `Kies vóór ${time}. Daarna geeft je bank alleen recente transacties.`,
    chooseOne: 'Kies minstens één rekening.',
    all: 'Alles selecteren',
    share: (count) =>
      count === 0 ? 'Rekeningen delen' : count === 1 ? '1 rekening delen' : `${count} rekeningen delen`,
    connected: 'Al verbonden',
    connectedBefore: (names, application) =>
      `Al verbonden: ${names}. Als je opnieuw deelt, krijgt ${application} elke transactie dubbel.`,
    renew: 'Verbinding vernieuwen',
    types: {
      depository: 'Bankrekening',
      credit: 'Kredietrekening',
      loan: 'Lening',
      investment: 'Belegging',
      other: 'Rekening',
    },
    subtypes: {
      checking: 'Betaalrekening',
      savings: 'Spaarrekening',
      credit_card: 'Creditcard',
      line_of_credit: 'Doorlopend krediet',
      mortgage: 'Hypotheek',
      brokerage: 'Beleggingsrekening',
      pension: 'Pensioen',
    },
    ending: (digits) => `eindigend op ${digits}`,
  },

  importing: {
    title: 'Je transacties worden opgehaald',
    lead: 'Dit kan een minuut duren. Laat dit venster open.',
    delayed: 'Dit duurt langer dan normaal. Het gaat automatisch verder.',
    waiting: (bank) => `Contact met ${bank}…`,
    done: (count) => `${transactions(count)} tot nu toe`,
    of: (count, total) => `${number.format(count)} van ${transactions(total)}`,
  },

  success: {
    title: 'Je bank is verbonden',
    restored: 'Je verbinding is weer actueel',
    lead: (application, count, bank) => `${application} kan nu ${accounts(count)} bij ${bank} lezen.`,
    shared: 'Gedeelde rekeningen',
    until: (until) => `De bank staat dit toe tot ${until}. Wie eerder vernieuwt, heeft geen onderbreking.`,
    missing: (count, bank) =>
      `Niet meer gevonden bij ${bank}: ${accounts(count)}. Eerdere transacties blijven bewaard.`,
  },

  failed: {
    tryAgain: 'Opnieuw proberen',
    signInAgain: 'Opnieuw inloggen',
    otherLogin: 'Andere login gebruiken',
    otherInstitution: 'Andere bank kiezen',
    restart: 'Opnieuw beginnen',
    yourInstitution: 'je bank',
    reasons: {
      wrong_credentials: {
        title: 'Je gegevens zijn niet geaccepteerd',
        text: (bank) =>
          `${bank} heeft je inlogpoging geweigerd. Controleer of je op de website van je bank kunt inloggen en log dan opnieuw in.`,
      },
      wrong_answer: {
        title: 'Je antwoord is niet geaccepteerd',
        text: (bank) => `Het inloggen bij ${bank} is na een fout antwoord gestopt. Log opnieuw in.`,
      },
      locked: {
        title: 'Je login is geblokkeerd',
        text: (bank) => `Deblokkeer hem op de website of in de app van ${bank} en probeer het dan opnieuw.`,
      },
      denied: {
        title: 'Je inlogpoging is niet goedgekeurd',
        text: (bank) =>
          `Er is geen goedkeuring gegeven op de website of in de app van ${bank}. Log opnieuw in en keur de inlogpoging goed.`,
      },
      institution_down: {
        title: 'Je bank is niet bereikbaar',
        text: (bank) => `${bank} is nu niet beschikbaar. Probeer het over een paar minuten opnieuw.`,
      },
      institution_timeout: {
        title: 'Je bank reageert niet',
        text: (bank) => `${bank} heeft niet op tijd gereageerd. Probeer het over een paar minuten opnieuw.`,
      },
      institution_incomplete: {
        title: 'Je rekeningen zijn niet leesbaar',
        text: (bank) => `${bank} heeft niet al je gegevens gestuurd. Probeer het later opnieuw.`,
      },
      no_accounts: {
        title: 'Geen rekeningen om te delen',
        text: (bank) =>
          `Deze login heeft bij ${bank} geen rekeningen om te delen. Gebruik een andere login of kies een andere bank.`,
      },
      accounts_mismatch: {
        title: 'Deze rekeningen komen niet overeen',
        text: (bank) =>
          `Deze login heeft niet de rekeningen die bij ${bank} verbonden waren. Log in met de login van toen.`,
      },
      user_action_required: {
        title: 'Je bank heeft eerst iets van je nodig',
        text: (bank) =>
          `Log in op de website van ${bank}, volg de instructies daar en probeer het dan opnieuw.`,
      },
      session_expired: {
        title: 'Je sessie is verlopen',
        text: () => 'De sessie is gestopt om je gegevens te beschermen. Er is niets gedeeld.',
      },
      cancelled: {
        title: 'Inloggen geannuleerd',
        text: () => 'Er is niets gedeeld.',
      },
      superseded: {
        title: 'Voortgezet in een ander venster',
        text: () => 'Je hebt een bank verbonden in een ander venster. Hier is niets gedeeld.',
      },
      internal: {
        title: 'Er ging iets mis',
        text: () => 'Het probleem ligt bij ons. Er is niets gedeeld. Probeer het opnieuw.',
      },
      origin_not_allowed: {
        title: 'Deze website kan geen banken verbinden',
        text: () => 'De website is daar niet voor ingesteld. Ga terug en probeer het later opnieuw.',
      },
      wrong_address: {
        title: 'Deze pagina is op het verkeerde adres geopend',
        text: () => 'Vanaf hier kun je geen banken verbinden. Ga terug en probeer het later opnieuw.',
      },
      native_not_allowed: {
        title: 'Deze app kan geen banken verbinden',
        text: () => 'De app is daar nog niet voor ingesteld. Ga terug en probeer het later opnieuw.',
      },
      unknown_user: {
        title: 'We konden je sessie niet controleren',
        text: () => 'Ga terug naar waar je begon, log opnieuw in en probeer het nog eens.',
      },
      unknown_application: {
        title: 'Bankverbindingen zijn niet goed ingesteld',
        text: () => 'Ga terug en probeer het later opnieuw.',
      },
      unknown_connection: {
        title: 'Deze verbinding kan niet worden hersteld',
        text: () =>
          'De verbinding is verwijderd of is niet van jou. Ga terug naar waar je begon en probeer het opnieuw, of verbind je bank opnieuw.',
      },
    },
  },
};
