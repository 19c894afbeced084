// Italiano. Same shape as en.ts. Not yet reviewed by a native speaker.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Hai ancora un tentativo.' : `Hai ancora ${count} tentativi.`;
const accounts = (count: number) => (count === 1 ? 'un conto' : `${count} conti`);
const number = new Intl.NumberFormat('it');
const movements = (count: number) => (count === 1 ? '1 movimento' : `${number.format(count)} movimenti`);

const withArticle: Record<string, string> = {
  'Nome utente': 'il tuo nome utente',
  Email: 'la tua email',
  'Codice cliente': 'il tuo codice cliente',
  Password: 'la tua password',
  PIN: 'il tuo PIN',
};

export const it: Texts = {
  title: 'Collega la tua banca',
  close: 'Chiudi',
  back: 'Indietro',
  done: 'Fine',
  loading: 'Un momento…',
  offline: 'Nessuna connessione. Nuovo tentativo…',
  sandbox: 'Sandbox: nessuna banca reale collegata',
  noHost: 'Questa pagina fa parte di un’altra app. Torna a quell’app e collega la tua banca da lì.',

  leave: {
    title: 'Uscire senza aver finito?',
    text: (application) => `Non hai ancora finito di collegare la tua banca a ${application}.`,
    importing: 'I tuoi movimenti sono ancora in lettura. Se esci ora, dovrai ricominciare da capo.',
    stay: 'Continua',
    leave: 'Esci',
  },

  consent: {
    agree: 'Accetta e continua',
  },

  institution: {
    title: 'Scegli la tua banca',
    search: 'Cerca una banca',
    found: (count) => (count === 1 ? '1 banca trovata' : `${count} banche trovate`),
    notFound: (search) => `Nessun risultato per «${search}»`,
    notFoundHint: 'Controlla l’ortografia o scrivi solo una parte del nome.',
    clear: 'Cancella',
    business: 'aziende',
    beta: 'beta',
    notListed: 'La mia banca non c’è',
    notListedTitle: 'La tua banca non è ancora disponibile',
    notListedHint: (application) => `Fai sapere a ${application} quale banca ti serve, o scegline un’altra.`,
    backToList: 'Torna all’elenco',
    noInstitutions: 'Nessuna banca disponibile',
    noInstitutionsHint: (application) => `${application} non ha ancora aggiunto banche. Riprova più tardi.`,
  },

  credentials: {
    optional: 'facoltativo',
    title: (bank) => `Accedi a ${bank}`,
    reconnect: (bank) =>
      `Il collegamento con ${bank} richiede attenzione. Accedi di nuovo per tenere aggiornati i tuoi dati.`,
    lead: 'Usa gli stessi dati del sito della tua banca.',
    ownPage: (bank) => `Accederai dalla pagina di ${bank}.`,
    signIn: 'Accedi',
    toOwnPage: (bank) => `Continua su ${bank}`,
    show: 'Mostra',
    hide: 'Nascondi',
    missing: (label) => `Inserisci ${withArticle[label] ?? `«${label}»`}`,
    help: (bank) => `Aiuto da ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Cifrato, inviato a ${bank} da ${operator} e conservato solo per aggiornare i tuoi dati.`
        : `Cifrato, inviato a ${bank} e conservato solo per aggiornare i tuoi dati.`,
  },

  labels: {
    username: () => 'Nome utente',
    email: () => 'Email',
    customer_number: () => 'Codice cliente',
    password: () => 'Password',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Codice inviato via SMS a ${value}` : 'Codice inviato via SMS'),
    code_call: (value) => (value ? `Codice della chiamata a ${value}` : 'Codice della chiamata'),
    code_email: (value) => (value ? `Codice inviato via email a ${value}` : 'Codice inviato via email'),
    code_app: (value) => `Codice da ${value ?? 'la tua app di autenticazione'}`,
    code_device: (value) => `Codice del tuo lettore di carte${value ? ` per ${value}` : ''}`,
    choose_method: () => 'Come vuoi ricevere il codice?',
    choose_tan_method: () => 'Quale metodo TAN vuoi usare?',
    choose_tan_medium: () => 'Quale dispositivo vuoi usare?',
    method_sms: (value) => (value ? `SMS a ${value}` : 'SMS'),
    method_call: (value) => (value ? `Chiamata a ${value}` : 'Chiamata'),
    method_email: (value) => (value ? `Email a ${value}` : 'Email'),
    method_app: (value) => (value ? `App ${value}` : 'App della tua banca'),
    approve_app: (value) =>
      value
        ? `Apri l’app ${value} e approva questo accesso.`
        : 'Apri l’app della tua banca e approva questo accesso.',
    picture: () => 'Caratteri nell’immagine',
    choose_account_use: () => 'A cosa serve il conto?',
    use_personal: () => 'Personale',
    use_business: () => 'Aziendale',
    open_bank_page: () => 'Continua sulla pagina della tua banca',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} non ha accettato questi dati. Controllali e riprova.`,
    wrong_answer: (bank) => `${bank} non ha accettato questa risposta. Riprova.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Troppi tentativi. Alla tua banca non è stato inviato nulla. Riprova tra ${minutes === 1 ? '1 minuto' : `${minutes} minuti`}.`,
  },

  challenge: {
    code: 'Inserisci il codice di sicurezza',
    question: 'Rispondi alla domanda di sicurezza',
    choice: 'Scegli come confermare',
    approval: 'Approva nell’app della tua banca',
    image: 'Inserisci i caratteri che vedi',
    imageCode: 'Scansiona l’immagine per ottenere il codice',
    imageAlt: 'Immagine della tua banca',
    lead: (bank) => `${bank} deve verificare che sia tu.`,
    leadReading: (bank) => `${bank} chiede un’altra conferma prima di condividere i tuoi movimenti.`,
    verify: 'Verifica',
    next: 'Continua',
    checkAgain: 'Controlla di nuovo',
    waiting: 'In attesa della tua approvazione…',
    stillWaiting:
      'Non abbiamo ricevuto la tua approvazione. Apri l’app della tua banca, approva l’accesso e controlla di nuovo.',
    chooseOne: 'Scegli un’opzione per continuare.',
    missingCode: 'Inserisci il codice.',
    missingAnswer: 'Inserisci la risposta.',
    resend: 'Invia di nuovo',
    resendIn: (seconds) => `Invia di nuovo tra ${seconds} s`,
    resent: 'Inviato di nuovo.',
    otherMethod: 'Prova un altro metodo',
    digits: (min, max) =>
      min === max ? `Inserisci tutte le ${min} cifre.` : `Inserisci da ${min} a ${max} cifre.`,
    characters: (min, max) =>
      min === max ? `Inserisci tutti i ${min} caratteri.` : `Inserisci da ${min} a ${max} caratteri.`,
  },

  redirect: {
    title: (bank) => `Continua su ${bank}`,
    lead: (bank) => `${bank} si apre in una nuova finestra. Accedi lì e tornerai qui automaticamente.`,
    open: (bank) => `Apri ${bank}`,
    waiting: (bank) => `Completa l’accesso a ${bank}`,
    waitingLead: 'Tieni aperta questa finestra. Si continua appena hai effettuato l’accesso.',
    openAgain: 'Riapri la pagina della banca',
    closed: 'L’altra finestra è stata chiusa. Riaprila o inserisci il codice che ha mostrato.',
    blocked: 'Se non si è aperta nessuna finestra, consenti i pop-up per questa pagina e riaprila.',
    code: 'Codice dell’altra finestra',
    codeHint: 'Solo se dopo l’accesso è apparso un codice.',
    missing: 'Inserisci il codice o completa l’accesso alla tua banca.',
    wrongCode: 'Questo codice non corrisponde al tuo accesso. Controllalo e riprova.',
  },

  returned: {
    codeTitle: 'Ancora un passo: inserisci questo codice',
    codeLead: (application, bank) => `Inseriscilo nella finestra in cui colleghi ${bank} a ${application}.`,
    nativeLead: (application, bank) =>
      `Torna a ${application} per finire di collegare ${bank}. Se ti viene chiesto un codice, inserisci questo.`,
    backTo: (application) => `Torna a ${application}`,
    warning: (application) =>
      `Ti ha mandato qui qualcun altro? Chiudi questa pagina: con questo codice potrebbe collegare la tua banca al proprio account ${application}.`,
    done: 'Qui hai finito',
    close: 'Puoi chiudere questa finestra.',
    ended: 'Questa pagina è scaduta',
    endedLead:
      'Torna alla finestra in cui colleghi la tua banca. Se è chiusa, ricomincia dall’app o dal sito.',
  },

  accounts: {
    title: 'Scegli i conti da condividere',
    lead: (application) => `${application} vedrà solo i conti che scegli.`,
    removed: (days) =>
      `I conti che togli non verranno più aggiornati. Restano leggibili per ${days} e poi vengono eliminati.`,
    historyUntil: (time) => `Scegli entro le ${time}. Dopo, la tua banca fornisce solo i movimenti recenti.`,
    chooseOne: 'Scegli almeno un conto.',
    all: 'Seleziona tutti',
    share: (count) =>
      count === 0 ? 'Condividi i conti' : count === 1 ? 'Condividi 1 conto' : `Condividi ${count} conti`,
    connected: 'Già collegato',
    connectedBefore: (names, application) =>
      `Già collegato: ${names}. Se condividi di nuovo, ${application} riceverà ogni movimento due volte.`,
    renew: 'Rinnova il collegamento',
    types: {
      depository: 'Conto bancario',
      credit: 'Conto di credito',
      loan: 'Prestito',
      investment: 'Investimento',
      other: 'Conto',
    },
    subtypes: {
      checking: 'Conto corrente',
      savings: 'Conto di risparmio',
      credit_card: 'Carta di credito',
      line_of_credit: 'Linea di credito',
      mortgage: 'Mutuo',
      brokerage: 'Conto titoli',
      pension: 'Previdenza',
    },
    ending: (digits) => `che termina con ${digits}`,
  },

  importing: {
    title: 'Recupero dei tuoi movimenti',
    lead: 'Può richiedere un minuto. Tieni aperta questa finestra.',
    delayed: 'Sta richiedendo più tempo del solito. Continua automaticamente.',
    waiting: (bank) => `Contatto ${bank}…`,
    done: (count) => `${movements(count)} finora`,
    of: (count, total) => `${number.format(count)} di ${movements(total)}`,
  },

  success: {
    title: 'La tua banca è collegata',
    restored: 'Il tuo collegamento è aggiornato',
    lead: (application, count, bank) => `${application} ora può leggere ${accounts(count)} presso ${bank}.`,
    shared: 'Conti condivisi',
    until: (until) => `La banca lo consente fino al ${until}. Rinnovando prima, non ci sono interruzioni.`,
    missing: (count, bank) =>
      `Non troviamo più presso ${bank}: ${accounts(count)}. I movimenti precedenti restano salvati.`,
  },

  failed: {
    tryAgain: 'Riprova',
    signInAgain: 'Accedi di nuovo',
    otherLogin: 'Usa un altro accesso',
    otherInstitution: 'Scegli un’altra banca',
    restart: 'Ricomincia',
    yourInstitution: 'la tua banca',
    reasons: {
      wrong_credentials: {
        title: 'I tuoi dati non sono stati accettati',
        text: (bank) =>
          `${bank} ha rifiutato il tuo accesso. Verifica di poter accedere sul sito della tua banca, poi accedi di nuovo.`,
      },
      wrong_answer: {
        title: 'La tua risposta non è stata accettata',
        text: (bank) => `L’accesso a ${bank} è terminato dopo una risposta errata. Accedi di nuovo.`,
      },
      locked: {
        title: 'Il tuo accesso è bloccato',
        text: (bank) => `Sbloccalo sul sito o nell’app di ${bank}, poi riprova.`,
      },
      denied: {
        title: 'Il tuo accesso non è stato approvato',
        text: (bank) =>
          `Non è stato approvato né sul sito né nell’app di ${bank}. Accedi di nuovo e approvalo.`,
      },
      institution_down: {
        title: 'La tua banca non è raggiungibile',
        text: (bank) => `${bank} non è disponibile al momento. Riprova tra qualche minuto.`,
      },
      institution_timeout: {
        title: 'La tua banca non risponde',
        text: (bank) => `${bank} non ha risposto in tempo. Riprova tra qualche minuto.`,
      },
      institution_incomplete: {
        title: 'Non è possibile leggere i tuoi conti',
        text: (bank) => `${bank} non ha inviato tutti i tuoi dati. Riprova più tardi.`,
      },
      no_accounts: {
        title: 'Nessun conto da condividere',
        text: (bank) =>
          `Questo accesso non ha conti da condividere presso ${bank}. Usa un altro accesso o scegli un’altra banca.`,
      },
      accounts_mismatch: {
        title: 'Questi conti non corrispondono',
        text: (bank) =>
          `Questo accesso non ha i conti che erano collegati presso ${bank}. Usa l’accesso di prima.`,
      },
      user_action_required: {
        title: 'La tua banca richiede prima qualcosa da te',
        text: (bank) => `Accedi al sito di ${bank}, segui le istruzioni, poi riprova.`,
      },
      session_expired: {
        title: 'La sessione è scaduta',
        text: () => 'È terminata per proteggere i tuoi dati. Non è stato condiviso nulla.',
      },
      cancelled: {
        title: 'Accesso annullato',
        text: () => 'Non è stato condiviso nulla.',
      },
      superseded: {
        title: 'Hai continuato in un’altra finestra',
        text: () => 'Hai collegato una banca in un’altra finestra. Qui non è stato condiviso nulla.',
      },
      internal: {
        title: 'Qualcosa è andato storto',
        text: () => 'Il problema è nostro. Non è stato condiviso nulla. Riprova.',
      },
      origin_not_allowed: {
        title: 'Questo sito non può collegare banche',
        text: () => 'Non è configurato per farlo. Torna indietro e riprova più tardi.',
      },
      wrong_address: {
        title: 'Questa pagina è stata aperta all’indirizzo sbagliato',
        text: () => 'Da qui non è possibile collegare banche. Torna indietro e riprova più tardi.',
      },
      native_not_allowed: {
        title: 'Questa app non può collegare banche',
        text: () => 'Non è ancora configurata per farlo. Torna indietro e riprova più tardi.',
      },
      unknown_user: {
        title: 'Non abbiamo potuto verificare la tua sessione',
        text: () => 'Torna al punto di partenza, accedi di nuovo e riprova.',
      },
      unknown_application: {
        title: 'I collegamenti bancari non sono configurati correttamente',
        text: () => 'Torna indietro e riprova più tardi.',
      },
      unknown_connection: {
        title: 'Questo collegamento non può essere ripristinato',
        text: () =>
          'È stato rimosso o non è tuo. Torna al punto di partenza e riprova, oppure collega di nuovo la tua banca.',
      },
    },
  },
};
