// Deutsch. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`;
const accounts = (count: number) => (count === 1 ? 'ein Konto' : `${count} Konten`);
const number = new Intl.NumberFormat('de');

export const de: Texts = {
  title: 'Bank verbinden',
  close: 'Schließen',
  back: 'Zurück',
  continue: 'Weiter',
  done: 'Fertig',
  loading: 'Einen Moment …',
  offline: 'Keine Verbindung zum Dienst. Es wird erneut versucht …',
  sandbox: 'Sandbox: keine echte Bank wird gefragt',
  noHost:
    'Diese Seite gehört zu einer Anwendung. Bitte gehen Sie zur Anwendung zurück und verbinden Sie Ihre Bank dort.',

  consent: {
    title: (application) => `${application} möchte Ihre Bankdaten lesen`,
    points: (application) => [
      {
        title: 'Sie wählen aus, was geteilt wird',
        text: 'Die Konten Ihrer Wahl: Name, letzte vier Ziffern, Kontostände und Umsätze.',
      },
      {
        title: 'Es wird nur gelesen',
        text: `${application} kann kein Geld bewegen und bei Ihrer Bank nichts ändern.`,
      },
      {
        title: 'Ihr Passwort bleibt geheim',
        text: `${application} sieht es nie. Es wird verschlüsselt aufbewahrt, nur um Ihre Daten zu aktualisieren.`,
      },
      {
        title: 'Sie können jederzeit aufhören',
        text: `Bitten Sie ${application}, Ihre Bank zu trennen. Gespeichertes wird nach 30 Tagen gelöscht.`,
      },
    ],
    agree: 'Mit „Weiter“ stimmen Sie zu, diese Daten zu teilen.',
  },

  institution: {
    title: 'Wählen Sie Ihre Bank',
    search: 'Banken suchen',
    found: (count) => (count === 1 ? 'Eine Bank gefunden' : `${count} Banken gefunden`),
    notFound: (search) => `Keine Bank gefunden für „${search}“`,
    notFoundHint: 'Prüfen Sie die Schreibweise, oder versuchen Sie es mit einem kürzeren Teil des Namens.',
    clear: 'Löschen',
    notListed: 'Meine Bank ist nicht dabei',
    notListedTitle: 'Ihre Bank ist nicht dabei',
    notListedHint: (application) =>
      `${application} kann Ihre Bank hier noch nicht verbinden. Bitte sagen Sie ${application}, welche Bank Sie brauchen, oder wählen Sie eine andere.`,
    backToList: 'Zurück zur Liste',
    noInstitutions: 'Noch keine Bank verfügbar',
    noInstitutionsHint: (application) =>
      `${application} hat bisher keine Bank eingerichtet. Bitte versuchen Sie es später noch einmal.`,
  },

  credentials: {
    title: (bank) => `Bei ${bank} anmelden`,
    reconnect: (application) =>
      `${application} hat den Zugang verloren. Melden Sie sich noch einmal an, um ihn wiederherzustellen; sonst ändert sich nichts.`,
    lead: 'Mit denselben Angaben wie auf der Website Ihrer Bank.',
    ownPage: (bank) => `Sie melden sich auf der Seite von ${bank} an. Der nächste Schritt führt dorthin.`,
    show: 'Anzeigen',
    hide: 'Verbergen',
    missing: (label) => `Bitte ausfüllen: ${label}`,
    help: (bank) => `Hilfe von ${bank}`,
    private: (application) => `${application} sieht nicht, was Sie hier eingeben.`,
  },

  labels: {
    username: () => 'Benutzername',
    email: () => 'E-Mail-Adresse',
    customer_number: () => 'Kundennummer',
    password: () => 'Passwort',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Code aus der SMS an ${value}` : 'Code aus der SMS an Ihr Telefon'),
    code_call: (value) => (value ? `Code aus dem Anruf unter ${value}` : 'Code aus dem Anruf'),
    code_email: (value) => (value ? `Code aus der E-Mail an ${value}` : 'Code aus der E-Mail'),
    code_app: (value) => `Code aus ${value ?? 'Ihrer Authenticator-App'}`,
    code_device: (value) => `Code aus Ihrem TAN-Generator${value ? ` für ${value}` : ''}`,
    choose_method: () => 'Wohin sollen wir den Code senden?',
    choose_tan_method: () => 'Welches TAN-Verfahren möchten Sie verwenden?',
    choose_tan_medium: () => 'Welches Gerät möchten Sie verwenden?',
    method_sms: (value) => (value ? `SMS an ${value}` : 'SMS'),
    method_call: (value) => (value ? `Anruf unter ${value}` : 'Anruf'),
    method_email: (value) => (value ? `E-Mail an ${value}` : 'E-Mail'),
    method_app: (value) => (value ? `App ${value}` : 'App Ihrer Bank'),
    approve_app: (value) =>
      `Geben Sie diese Anmeldung in der ${value ? `App ${value}` : 'App Ihrer Bank'} frei`,
    picture: () => 'Zeichen aus dem Bild',
  },

  errors: {
    wrong_credentials: (bank) =>
      `${bank} hat diese Angaben nicht angenommen. Bitte prüfen Sie sie und versuchen Sie es noch einmal.`,
    wrong_answer: (bank) => `${bank} hat diese Antwort nicht angenommen. Bitte versuchen Sie es noch einmal.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Es wurden zu viele Anmeldungen versucht, deshalb wurde nichts an Ihre Bank gesendet. Bitte versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} noch einmal.`,
  },

  challenge: {
    code: 'Sicherheitscode eingeben',
    question: 'Sicherheitsfrage beantworten',
    choice: 'Bestätigen Sie, dass Sie es sind',
    approval: 'In der App Ihrer Bank freigeben',
    image: 'Geben Sie ein, was Sie sehen',
    imageAlt: 'Bild mit den einzugebenden Zeichen',
    lead: (bank) => `${bank} möchte sicher sein, dass Sie es sind.`,
    waiting: 'Warten auf Ihre Freigabe …',
    stillWaiting:
      'Bisher ist keine Freigabe angekommen. Öffnen Sie die App Ihrer Bank, geben Sie dort frei, und gehen Sie hier weiter.',
    chooseOne: 'Bitte wählen Sie eines aus.',
    resend: 'Noch einmal senden',
    resendIn: (seconds) => `Noch einmal senden in ${seconds} s`,
    resent: 'Noch einmal gesendet.',
    otherMethod: 'Anderen Weg wählen',
    digits: (min, max) =>
      min === max ? `Bitte geben Sie ${min} Ziffern ein.` : `Bitte geben Sie ${min} bis ${max} Ziffern ein.`,
    characters: (min, max) =>
      min === max ? `Bitte geben Sie ${min} Zeichen ein.` : `Bitte geben Sie ${min} bis ${max} Zeichen ein.`,
  },

  redirect: {
    title: (bank) => `Weiter bei ${bank}`,
    lead: (bank) =>
      `Bei ${bank} melden Sie sich nur auf der eigenen Seite der Bank an. Sie öffnet sich in einem neuen Fenster; danach kommen Sie hierher zurück.`,
    open: (bank) => `${bank} öffnen`,
    waiting: (bank) => `Anmeldung bei ${bank} abschließen`,
    waitingLead: 'Lassen Sie dieses Fenster offen. Es geht weiter, sobald Sie sich dort angemeldet haben.',
    openAgain: 'Seite der Bank noch einmal öffnen',
    closed:
      'Das Fenster Ihrer Bank scheint geschlossen zu sein. Öffnen Sie es noch einmal, oder geben Sie den Code ein, den es gezeigt hat.',
    blocked: 'Wenn sich kein Fenster geöffnet hat, erlauben Sie es im Browser und öffnen Sie es noch einmal.',
    code: 'Code der letzten Seite',
    codeHint: 'Nur wenn das Fenster der Bank mit einem Code endet.',
    missing: 'Bitte geben Sie den Code ein, oder schließen Sie die Anmeldung bei Ihrer Bank ab.',
    wrongCode:
      'Das ist nicht der Code Ihrer Anmeldung. Bitte prüfen Sie ihn und versuchen Sie es noch einmal.',
  },

  returned: {
    codeTitle: 'Noch ein Schritt: Geben Sie diesen Code ein',
    codeLead: (application, bank) =>
      `Geben Sie ihn in dem Fenster ein, in dem Sie ${bank} mit ${application} verbinden.`,
    nativeLead: (application, bank) =>
      `Machen Sie in ${application} weiter, wo Sie ${bank} verbinden. Wenn dort ein Code verlangt wird, geben Sie diesen ein.`,
    backTo: (application) => `Zurück zu ${application}`,
    warning: (application) =>
      `Hat Sie jemand hierher geschickt? Dann schließen Sie diese Seite: Mit dem Code würde Ihre Bank mit einem fremden Konto bei ${application} verbunden.`,
    done: 'Sie sind zurück',
    close: 'Sie können dieses Fenster schließen.',
    ended: 'Diese Seite gilt nicht mehr',
    endedLead:
      'Gehen Sie zu dem Fenster zurück, in dem Sie Ihre Bank verbinden. Wenn es beendet ist, beginnen Sie dort neu.',
  },

  accounts: {
    title: 'Konten auswählen',
    lead: (application) => `${application} sieht nur die Konten, die Sie auswählen.`,
    chooseOne: 'Bitte wählen Sie mindestens ein Konto aus.',
    all: 'Alle auswählen',
    types: {
      depository: 'Bankkonto',
      credit: 'Kreditkonto',
      loan: 'Darlehen',
      investment: 'Anlage',
      other: 'Konto',
    },
    subtypes: {
      checking: 'Girokonto',
      savings: 'Sparkonto',
      credit_card: 'Kreditkarte',
      line_of_credit: 'Kreditlinie',
      mortgage: 'Hypothek',
      brokerage: 'Depot',
      pension: 'Altersvorsorge',
    },
    ending: (digits) => `endet auf ${digits}`,
  },

  importing: {
    title: 'Ihre Umsätze werden gelesen',
    lead: 'Das kann eine Minute dauern. Bitte lassen Sie dieses Fenster offen.',
    delayed: 'Das dauert länger als sonst. Es geht von selbst weiter, sobald der Dienst bereit ist.',
    waiting: (bank) => `${bank} wird gefragt …`,
    done: (count) => `${number.format(count)} Umsätze bisher`,
    of: (count, total) => `${number.format(count)} von ${number.format(total)} Umsätzen`,
  },

  success: {
    title: 'Ihre Bank ist verbunden',
    restored: 'Ihre Verbindung ist wiederhergestellt',
    lead: (application, count, bank) => `${application} kann jetzt ${accounts(count)} bei ${bank} lesen.`,
    shared: 'Geteilte Konten',
  },

  failed: {
    tryAgain: 'Noch einmal versuchen',
    otherInstitution: 'Andere Bank wählen',
    restart: 'Neu beginnen',
    yourInstitution: 'Ihre Bank',
    reasons: {
      wrong_credentials: {
        title: 'Die Angaben wurden nicht angenommen',
        text: (bank) =>
          `${bank} hat sie zu oft abgelehnt. Prüfen Sie sie auf der Website Ihrer Bank, und versuchen Sie es dann noch einmal.`,
      },
      wrong_answer: {
        title: 'Die Antwort wurde nicht angenommen',
        text: (bank) =>
          `Diese Anmeldung bei ${bank} wurde nach zu vielen falschen Antworten beendet. Bitte melden Sie sich neu an.`,
      },
      locked: {
        title: 'Ihr Bankzugang ist gesperrt',
        text: (bank) =>
          `Entsperren Sie ihn auf der Website oder in der App (${bank}), und versuchen Sie es dann hier noch einmal.`,
      },
      denied: {
        title: 'Die Anfrage wurde abgelehnt',
        text: (bank) =>
          `Sie wurde in der App (${bank}) abgelehnt. Falls das ein Versehen war, melden Sie sich neu an und geben Sie sie frei.`,
      },
      institution_down: {
        title: 'Ihre Bank ist nicht erreichbar',
        text: (bank) =>
          `${bank} antwortet gerade nicht. Bitte versuchen Sie es in ein paar Minuten noch einmal.`,
      },
      institution_timeout: {
        title: 'Ihre Bank braucht zu lange',
        text: (bank) =>
          `${bank} hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es in ein paar Minuten noch einmal.`,
      },
      no_accounts: {
        title: 'Keine Konten zum Teilen',
        text: (bank) =>
          `Dieser Zugang bei ${bank} hat keine Konten, die geteilt werden können. Versuchen Sie einen anderen Zugang oder eine andere Bank.`,
      },
      accounts_mismatch: {
        title: 'Das sind andere Konten',
        text: (bank) =>
          `Dieser Zugang bei ${bank} hat nicht die Konten, die verbunden waren. Melden Sie sich mit dem Zugang von damals an.`,
      },
      user_action_required: {
        title: 'Ihre Bank braucht zuerst etwas von Ihnen',
        text: (bank) =>
          `Melden Sie sich auf der Website Ihrer Bank an (${bank}), folgen Sie den Hinweisen dort, und versuchen Sie es dann hier noch einmal.`,
      },
      session_expired: {
        title: 'Das hat zu lange gedauert',
        text: () =>
          'Zu Ihrer Sicherheit wurde die Anmeldung beendet. Nichts wurde geteilt. Sie können jetzt neu beginnen.',
      },
      cancelled: {
        title: 'Diese Anmeldung wurde geschlossen',
        text: () => 'Nichts wurde geteilt. Sie können jetzt neu beginnen.',
      },
      superseded: {
        title: 'An anderer Stelle fortgesetzt',
        text: () =>
          'Dieselbe Verbindung wurde ein zweites Mal geöffnet, und diese hier ist beendet. Hier wurde nichts geteilt.',
      },
      internal: {
        title: 'Etwas ist schiefgegangen',
        text: () => 'Der Fehler liegt bei uns. Nichts wurde geteilt. Bitte versuchen Sie es noch einmal.',
      },
      origin_not_allowed: {
        title: 'Diese Website darf keine Banken verbinden',
        text: () =>
          'Die Anwendung erlaubt es hier nicht. Wenn Sie diese Website betreiben, tragen Sie ihre Adresse bei der Anwendung ein.',
      },
      native_not_allowed: {
        title: 'Diese App darf keine Banken verbinden',
        text: () =>
          'Wenn Sie diese App herstellen, erlauben Sie der Anwendung die Nutzung in Apps, und tragen Sie die Rückkehradresse ein.',
      },
      unknown_user: {
        title: 'Wir wissen nicht, wer Sie sind',
        text: () =>
          'Die Anwendung hat Ihre Anmeldung nicht bestätigt. Bitte gehen Sie zurück und melden Sie sich dort erneut an.',
      },
      unknown_application: {
        title: 'Diese Anwendung ist nicht bekannt',
        text: () => 'Wenn Sie diese Website betreiben, prüfen Sie die Kennung der Anwendung.',
      },
      unknown_connection: {
        title: 'Diese Verbindung kann nicht wiederhergestellt werden',
        text: () =>
          'Sie wurde entfernt, oder die Anwendung hat nicht bestätigt, dass sie Ihnen gehört. Bitte gehen Sie zurück und versuchen Sie es noch einmal, oder verbinden Sie Ihre Bank neu.',
      },
    },
  },
};
