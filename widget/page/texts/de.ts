// Deutsch. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`;
const accounts = (count: number) => (count === 1 ? 'ein Konto' : `${count} Konten`);
const number = new Intl.NumberFormat('de');

const withArticle: Record<string, string> = {
  Benutzername: 'Ihren Benutzernamen',
  'E-Mail-Adresse': 'Ihre E-Mail-Adresse',
  Kundennummer: 'Ihre Kundennummer',
  Passwort: 'Ihr Passwort',
  PIN: 'Ihre PIN',
};

export const de: Texts = {
  title: 'Bank verbinden',
  close: 'Schließen',
  back: 'Zurück',
  done: 'Fertig',
  loading: 'Einen Moment …',
  offline: 'Keine Verbindung. Wir versuchen es weiter.',
  sandbox: 'Sandbox: nicht mit einer echten Bank verbunden',
  noHost:
    'Diese Seite gehört zu einer anderen App. Gehen Sie dorthin zurück und verbinden Sie Ihre Bank dort.',

  leave: {
    title: 'Vorgang abbrechen?',
    text: (application) => `Die Verbindung Ihrer Bank mit ${application} ist noch nicht abgeschlossen.`,
    importing: 'Ihre Umsätze werden gerade abgerufen. Wenn Sie jetzt beenden, müssen Sie von vorn beginnen.',
    stay: 'Fortsetzen',
    leave: 'Beenden',
  },

  consent: {
    agree: 'Zustimmen und weiter',
  },

  institution: {
    title: 'Wählen Sie Ihre Bank',
    search: 'Banken suchen',
    found: (count) => (count === 1 ? '1 Bank gefunden' : `${count} Banken gefunden`),
    notFound: (search) => `Keine Treffer für „${search}“`,
    notFoundHint: 'Prüfen Sie die Schreibweise oder geben Sie nur einen Teil des Namens ein.',
    clear: 'Löschen',
    beta: 'Beta',
    notListed: 'Meine Bank ist nicht dabei',
    notListedTitle: 'Ihre Bank ist noch nicht verfügbar',
    notListedHint: (application) =>
      `Teilen Sie ${application} mit, welche Bank fehlt, oder wählen Sie eine andere.`,
    backToList: 'Zurück zur Liste',
    noInstitutions: 'Noch keine Bank verfügbar',
    noInstitutionsHint: (application) =>
      `${application} bietet hier noch keine Bank an. Versuchen Sie es später noch einmal.`,
  },

  credentials: {
    optional: 'optional',
    title: (bank) => `Bei ${bank} anmelden`,
    reconnect: (bank) =>
      `Ihre Verbindung zu ${bank} muss erneuert werden. Melden Sie sich noch einmal an, damit Ihre Daten aktuell bleiben.`,
    lead: 'Verwenden Sie dieselben Daten wie auf der Website Ihrer Bank.',
    ownPage: (bank) => `Sie melden sich auf der Seite von ${bank} an.`,
    signIn: 'Anmelden',
    toOwnPage: (bank) => `Weiter zu ${bank}`,
    show: 'Anzeigen',
    hide: 'Verbergen',
    missing: (label) => `Geben Sie ${withArticle[label] ?? `„${label}“`} ein.`,
    help: (bank) => `Hilfe von ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Verschlüsselt, von ${operator} an ${bank} gesendet und nur für die Aktualisierung Ihrer Daten gespeichert.`
        : `Verschlüsselt, an ${bank} gesendet und nur für die Aktualisierung Ihrer Daten gespeichert.`,
  },

  labels: {
    username: () => 'Benutzername',
    email: () => 'E-Mail-Adresse',
    customer_number: () => 'Kundennummer',
    password: () => 'Passwort',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Code aus der SMS an ${value}` : 'Code aus der SMS'),
    code_call: (value) => (value ? `Code aus dem Anruf bei ${value}` : 'Code aus dem Anruf'),
    code_email: (value) => (value ? `Code aus der E-Mail an ${value}` : 'Code aus der E-Mail'),
    code_app: (value) => `Code aus ${value ?? 'Ihrer Authentifizierungs-App'}`,
    code_device: (value) => `Code aus Ihrem Kartenleser${value ? ` für ${value}` : ''}`,
    choose_method: () => 'Wie möchten Sie Ihren Code erhalten?',
    choose_tan_method: () => 'Welches TAN-Verfahren möchten Sie verwenden?',
    choose_tan_medium: () => 'Welches Gerät möchten Sie verwenden?',
    method_sms: (value) => (value ? `SMS an ${value}` : 'SMS'),
    method_call: (value) => (value ? `Anruf bei ${value}` : 'Anruf'),
    method_email: (value) => (value ? `E-Mail an ${value}` : 'E-Mail'),
    method_app: (value) => (value ? `App ${value}` : 'App Ihrer Bank'),
    approve_app: (value) =>
      value
        ? `Öffnen Sie die App ${value} und geben Sie diese Anmeldung frei.`
        : 'Öffnen Sie die App Ihrer Bank und geben Sie diese Anmeldung frei.',
    picture: () => 'Zeichen im Bild',
    choose_account_use: () => 'Wofür nutzen Sie das Konto?',
    use_personal: () => 'Privat',
    use_business: () => 'Geschäftlich',
    open_bank_page: () => 'Weiter auf der Seite Ihrer Bank',
  },

  errors: {
    wrong_credentials: (bank) =>
      `${bank} hat diese Daten nicht akzeptiert. Prüfen Sie sie und versuchen Sie es noch einmal.`,
    wrong_answer: (bank) => `${bank} hat diese Antwort nicht akzeptiert. Versuchen Sie es noch einmal.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Zu viele Versuche. An Ihre Bank wurde nichts gesendet. Versuchen Sie es in ${minutes === 1 ? '1 Minute' : `${minutes} Minuten`} noch einmal.`,
  },

  challenge: {
    code: 'Geben Sie Ihren Sicherheitscode ein',
    question: 'Beantworten Sie Ihre Sicherheitsfrage',
    choice: 'Wie möchten Sie bestätigen?',
    approval: 'In der App Ihrer Bank freigeben',
    image: 'Geben Sie die Zeichen im Bild ein',
    imageCode: 'Scannen Sie dieses Bild, um Ihren Code zu erhalten',
    imageAlt: 'Bild Ihrer Bank',
    lead: (bank) => `${bank} muss Ihre Identität prüfen.`,
    leadReading: (bank) => `${bank} fragt noch einmal, bevor Ihre Umsätze freigegeben werden.`,
    verify: 'Bestätigen',
    next: 'Weiter',
    checkAgain: 'Erneut prüfen',
    waiting: 'Wir warten auf Ihre Freigabe …',
    stillWaiting:
      'Ihre Freigabe ist noch nicht angekommen. Öffnen Sie die App Ihrer Bank, geben Sie die Anmeldung frei und prüfen Sie dann erneut.',
    chooseOne: 'Wählen Sie eine Möglichkeit aus.',
    missingCode: 'Geben Sie den Code ein.',
    missingAnswer: 'Geben Sie Ihre Antwort ein.',
    resend: 'Erneut senden',
    resendIn: (seconds) => `Erneut senden in ${seconds} s`,
    resent: 'Erneut gesendet.',
    otherMethod: 'Andere Methode wählen',
    digits: (min, max) =>
      min === max ? `Geben Sie alle ${min} Ziffern ein.` : `Geben Sie ${min} bis ${max} Ziffern ein.`,
    characters: (min, max) =>
      min === max ? `Geben Sie alle ${min} Zeichen ein.` : `Geben Sie ${min} bis ${max} Zeichen ein.`,
  },

  redirect: {
    title: (bank) => `Weiter auf der Website von ${bank}`,
    lead: (bank) =>
      `${bank} öffnet sich in einem neuen Fenster. Melden Sie sich dort an; danach geht es hier automatisch weiter.`,
    open: (bank) => `${bank} öffnen`,
    waiting: (bank) => `Schließen Sie die Anmeldung bei ${bank} ab`,
    waitingLead: 'Lassen Sie dieses Fenster offen. Es geht weiter, sobald Sie sich angemeldet haben.',
    openAgain: 'Seite der Bank erneut öffnen',
    closed:
      'Das andere Fenster wurde geschlossen. Öffnen Sie es erneut oder geben Sie den angezeigten Code ein.',
    blocked: 'Kein Fenster zu sehen? Erlauben Sie Pop-ups für diese Seite und öffnen Sie es erneut.',
    code: 'Code aus dem anderen Fenster',
    codeHint: 'Nur wenn Ihnen nach der Anmeldung ein Code angezeigt wurde.',
    missing: 'Geben Sie den Code ein oder schließen Sie die Anmeldung bei Ihrer Bank ab.',
    wrongCode: 'Dieser Code passt nicht zu Ihrer Anmeldung. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  },

  returned: {
    codeTitle: 'Noch ein Schritt: Geben Sie diesen Code ein',
    codeLead: (application, bank) =>
      `Geben Sie ihn in dem Fenster ein, in dem Sie ${bank} mit ${application} verbinden.`,
    nativeLead: (application, bank) =>
      `Gehen Sie zurück zu ${application}, um ${bank} zu verbinden. Wenn Sie nach einem Code gefragt werden, geben Sie diesen ein.`,
    backTo: (application) => `Zurück zu ${application}`,
    warning: (application) =>
      `Hat jemand anders Sie hierher geschickt? Dann schließen Sie diese Seite: Mit diesem Code könnte Ihre Bank mit einem fremden Konto bei ${application} verbunden werden.`,
    done: 'Sie sind hier fertig',
    close: 'Sie können dieses Fenster schließen.',
    ended: 'Diese Seite ist abgelaufen',
    endedLead:
      'Gehen Sie zurück zu dem Fenster, in dem Sie Ihre Bank verbinden. Ist es geschlossen, beginnen Sie in der App oder auf der Website von vorn.',
  },

  accounts: {
    title: 'Wählen Sie die Konten aus',
    lead: (application) => `${application} sieht nur die Konten, die Sie auswählen.`,
    removed: (days) => `Abgewählte Konten werden nicht aktualisiert und bleiben noch ${days} lesbar.`,
    historyUntil: (time) => `Bis ${time} stellt Ihre Bank alle Umsätze bereit.`,
    chooseOne: 'Wählen Sie mindestens ein Konto aus.',
    all: 'Alle auswählen',
    share: (count) =>
      count === 0 ? 'Konten freigeben' : count === 1 ? '1 Konto freigeben' : `${count} Konten freigeben`,
    connected: 'Bereits verbunden',
    connectedBefore: (names, application) =>
      `Bereits verbunden: ${names}. Wenn Sie erneut freigeben, erhält ${application} jeden Umsatz doppelt.`,
    renew: 'Verbindung erneuern',
    types: {
      depository: 'Bankkonto',
      credit: 'Kreditkonto',
      loan: 'Darlehen',
      investment: 'Geldanlage',
      other: 'Konto',
    },
    subtypes: {
      checking: 'Girokonto',
      savings: 'Sparkonto',
      credit_card: 'Kreditkarte',
      line_of_credit: 'Rahmenkredit',
      mortgage: 'Hypothek',
      brokerage: 'Depot',
      pension: 'Altersvorsorge',
    },
    ending: (digits) => `mit den Endziffern ${digits}`,
  },

  importing: {
    title: 'Ihre Umsätze werden abgerufen',
    lead: 'Das kann eine Minute dauern. Lassen Sie dieses Fenster offen.',
    delayed: 'Es dauert länger als sonst. Es geht automatisch weiter.',
    waiting: (bank) => `${bank} wird kontaktiert …`,
    done: (count) => (count === 1 ? 'Bisher 1 Umsatz' : `Bisher ${number.format(count)} Umsätze`),
    of: (count, total) =>
      `${number.format(count)} von ${number.format(total)} ${total === 1 ? 'Umsatz' : 'Umsätzen'}`,
  },

  success: {
    title: 'Ihre Bank ist verbunden',
    restored: 'Ihre Verbindung ist wieder aktuell',
    lead: (application, count, bank) => `${application} kann jetzt ${accounts(count)} bei ${bank} lesen.`,
    shared: 'Freigegebene Konten',
    until: (until) =>
      `Die Bank erlaubt das bis zum ${until}. Erneuern Sie die Verbindung vorher, damit es keine Unterbrechung gibt.`,
    missing: (count, bank) =>
      `Bei ${bank} nicht mehr gefunden: ${accounts(count)}. Frühere Umsätze bleiben erhalten.`,
  },

  failed: {
    tryAgain: 'Erneut versuchen',
    signInAgain: 'Erneut anmelden',
    otherLogin: 'Anderen Zugang verwenden',
    otherInstitution: 'Andere Bank wählen',
    restart: 'Von vorn beginnen',
    yourInstitution: 'Ihre Bank',
    reasons: {
      wrong_credentials: {
        title: 'Ihre Daten wurden nicht akzeptiert',
        text: (bank) =>
          `${bank} hat Ihre Anmeldung abgelehnt. Prüfen Sie auf der Website Ihrer Bank, ob die Anmeldung dort funktioniert, und melden Sie sich dann erneut an.`,
      },
      wrong_answer: {
        title: 'Ihre Antwort wurde nicht akzeptiert',
        text: (bank) =>
          `Diese Anmeldung bei ${bank} wurde nach einer falschen Antwort beendet. Melden Sie sich erneut an.`,
      },
      locked: {
        title: 'Ihr Zugang ist gesperrt',
        text: (bank) =>
          `Entsperren Sie ihn auf der Website oder in der App von ${bank} und versuchen Sie es dann erneut.`,
      },
      denied: {
        title: 'Ihre Anmeldung wurde nicht freigegeben',
        text: (bank) =>
          `Sie wurde auf der Website oder in der App von ${bank} nicht freigegeben. Melden Sie sich erneut an und geben Sie die Anmeldung frei.`,
      },
      institution_down: {
        title: 'Ihre Bank ist nicht erreichbar',
        text: (bank) => `${bank} ist gerade nicht erreichbar. Versuchen Sie es in ein paar Minuten erneut.`,
      },
      institution_timeout: {
        title: 'Ihre Bank antwortet nicht',
        text: (bank) =>
          `${bank} hat nicht rechtzeitig geantwortet. Versuchen Sie es in ein paar Minuten erneut.`,
      },
      institution_incomplete: {
        title: 'Ihre Konten sind nicht lesbar',
        text: (bank) => `${bank} hat Ihre Daten nicht vollständig gesendet. Versuchen Sie es später erneut.`,
      },
      no_accounts: {
        title: 'Keine Konten zum Freigeben',
        text: (bank) =>
          `Dieser Zugang hat bei ${bank} keine Konten, die freigegeben werden können. Verwenden Sie einen anderen Zugang oder wählen Sie eine andere Bank.`,
      },
      accounts_mismatch: {
        title: 'Diese Konten stimmen nicht überein',
        text: (bank) =>
          `Dieser Zugang hat nicht die Konten, die bei ${bank} verbunden waren. Melden Sie sich mit dem zuvor verwendeten Zugang an.`,
      },
      user_action_required: {
        title: 'Ihre Bank benötigt noch einen Schritt von Ihnen',
        text: (bank) =>
          `Melden Sie sich auf der Website von ${bank} an, folgen Sie den Hinweisen dort und versuchen Sie es dann erneut.`,
      },
      session_expired: {
        title: 'Ihre Sitzung ist abgelaufen',
        text: () => 'Sie wurde zum Schutz Ihrer Daten beendet. Es wurde nichts freigegeben.',
      },
      cancelled: {
        title: 'Anmeldung abgebrochen',
        text: () => 'Es wurde nichts freigegeben.',
      },
      superseded: {
        title: 'In einem anderen Fenster fortgesetzt',
        text: () =>
          'Sie haben stattdessen in einem anderen Fenster eine Bank verbunden. Hier wurde nichts freigegeben.',
      },
      internal: {
        title: 'Etwas ist schiefgegangen',
        text: () => 'Das Problem liegt bei uns. Es wurde nichts freigegeben. Versuchen Sie es erneut.',
      },
      origin_not_allowed: {
        title: 'Diese Website kann keine Banken verbinden',
        text: () => 'Sie ist dafür nicht eingerichtet. Gehen Sie zurück und versuchen Sie es später erneut.',
      },
      wrong_address: {
        title: 'Diese Seite wurde unter der falschen Adresse geöffnet',
        text: () =>
          'Von hier aus lassen sich keine Banken verbinden. Gehen Sie zurück und versuchen Sie es später erneut.',
      },
      native_not_allowed: {
        title: 'Diese App kann keine Banken verbinden',
        text: () =>
          'Sie ist dafür noch nicht eingerichtet. Gehen Sie zurück und versuchen Sie es später erneut.',
      },
      unknown_user: {
        title: 'Ihre Sitzung konnte nicht geprüft werden',
        text: () =>
          'Gehen Sie dorthin zurück, wo Sie begonnen haben, melden Sie sich erneut an und versuchen Sie es noch einmal.',
      },
      unknown_application: {
        title: 'Bankverbindungen sind nicht richtig eingerichtet',
        text: () => 'Gehen Sie zurück und versuchen Sie es später erneut.',
      },
      unknown_connection: {
        title: 'Diese Verbindung kann nicht erneuert werden',
        text: () =>
          'Sie wurde entfernt oder gehört nicht Ihnen. Gehen Sie dorthin zurück, wo Sie begonnen haben, und versuchen Sie es erneut, oder verbinden Sie Ihre Bank neu.',
      },
    },
  },
};
