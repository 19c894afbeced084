// Polski. Same shape as en.ts. Not yet reviewed by a native speaker.
import type { Texts } from './en.ts';

const rules = new Intl.PluralRules('pl');
/** The form for a number: 1, then 2 to 4, 22 to 24 and so on, then the others. */
const plural = (count: number, one: string, few: string, many: string) =>
  ({ one, few })[rules.select(count) as string] ?? many;

const attemptsLeft = (count: number) => `Pozostało: ${count} ${plural(count, 'próba', 'próby', 'prób')}.`;
const accounts = (count: number) => `${count} ${plural(count, 'rachunek', 'rachunki', 'rachunków')}`;
const number = new Intl.NumberFormat('pl');

const accusative: Record<string, string> = {
  'Nazwa użytkownika': 'nazwę użytkownika',
  'Adres e-mail': 'adres e-mail',
  'Numer klienta': 'numer klienta',
  Hasło: 'hasło',
  PIN: 'PIN',
};

export const pl: Texts = {
  title: 'Połącz swój bank',
  close: 'Zamknij',
  back: 'Wstecz',
  done: 'Gotowe',
  loading: 'Chwileczkę…',
  offline: 'Brak połączenia. Ponawiamy próbę…',
  sandbox: 'Sandbox: bez połączenia z prawdziwym bankiem',
  noHost: 'Ta strona jest częścią innej aplikacji. Wróć do niej i tam połącz swój bank.',

  leave: {
    title: 'Wyjść bez dokończenia?',
    text: (application) => `Łączenie banku z ${application} nie zostało jeszcze zakończone.`,
    importing: 'Transakcje są jeszcze pobierane. Jeśli teraz wyjdziesz, trzeba będzie zacząć od nowa.',
    stay: 'Kontynuuj',
    leave: 'Wyjdź',
  },

  consent: {
    agree: 'Zgadzam się, dalej',
  },

  institution: {
    title: 'Wybierz swój bank',
    search: 'Szukaj banku',
    found: (count) => `Znaleziono ${count} ${plural(count, 'bank', 'banki', 'banków')}`,
    notFound: (search) => `Brak wyników dla „${search}”`,
    notFoundHint: 'Sprawdź pisownię lub wpisz część nazwy.',
    clear: 'Wyczyść',
    business: 'dla firm',
    beta: 'beta',
    notListed: 'Nie ma mojego banku',
    notListedTitle: 'Twój bank nie jest jeszcze dostępny',
    notListedHint: (application) => `Daj znać ${application}, jakiego banku potrzebujesz, lub wybierz inny.`,
    backToList: 'Wróć do listy',
    noInstitutions: 'Nie ma jeszcze dostępnych banków',
    noInstitutionsHint: (application) =>
      `${application} nie ma jeszcze żadnych banków. Spróbuj ponownie później.`,
  },

  credentials: {
    optional: 'opcjonalnie',
    title: (bank) => `Logowanie: ${bank}`,
    reconnect: (bank) =>
      `Połączenie z ${bank} wymaga uwagi. Zaloguj się ponownie, aby Twoje dane były aktualne.`,
    lead: 'Użyj tych samych danych co na stronie banku.',
    ownPage: (bank) => `Zalogujesz się na stronie ${bank}.`,
    signIn: 'Zaloguj się',
    toOwnPage: (bank) => `Przejdź do ${bank}`,
    show: 'Pokaż',
    hide: 'Ukryj',
    missing: (label) => `Podaj ${accusative[label] ?? `„${label}”`}`,
    help: (bank) => `Pomoc: ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Dane są szyfrowane, ${operator} wysyła je do ${bank} i przechowuje tylko w celu odświeżania.`
        : `Dane są szyfrowane, wysyłane do ${bank} i przechowywane tylko w celu odświeżania.`,
  },

  labels: {
    username: () => 'Nazwa użytkownika',
    email: () => 'Adres e-mail',
    customer_number: () => 'Numer klienta',
    password: () => 'Hasło',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Kod z SMS-a na ${value}` : 'Kod z SMS-a'),
    code_call: (value) => (value ? `Kod z połączenia na ${value}` : 'Kod z połączenia'),
    code_email: (value) => (value ? `Kod z e-maila na ${value}` : 'Kod z e-maila'),
    code_app: (value) => `Kod z ${value ?? 'aplikacji uwierzytelniającej'}`,
    code_device: (value) => `Kod z czytnika kart${value ? ` dla ${value}` : ''}`,
    choose_method: () => 'Jak chcesz otrzymać kod?',
    choose_tan_method: () => 'Której metody TAN chcesz użyć?',
    choose_tan_medium: () => 'Którego urządzenia chcesz użyć?',
    method_sms: (value) => (value ? `SMS na ${value}` : 'SMS'),
    method_call: (value) => (value ? `Połączenie na ${value}` : 'Połączenie telefoniczne'),
    method_email: (value) => (value ? `E-mail na ${value}` : 'E-mail'),
    method_app: (value) => (value ? `Aplikacja ${value}` : 'Aplikacja banku'),
    approve_app: (value) =>
      value
        ? `Otwórz aplikację ${value} i zatwierdź to logowanie.`
        : 'Otwórz aplikację banku i zatwierdź to logowanie.',
    picture: () => 'Znaki na obrazku',
    choose_account_use: () => 'Do czego służy rachunek?',
    use_personal: () => 'Prywatnie',
    use_business: () => 'Firmowo',
    open_bank_page: () => 'Kontynuuj na stronie banku',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} nie akceptuje tych danych. Sprawdź je i spróbuj ponownie.`,
    wrong_answer: (bank) => `${bank} nie akceptuje tej odpowiedzi. Spróbuj ponownie.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Zbyt wiele prób. Do banku nic nie wysłano. Spróbuj ponownie za ${minutes} ${plural(minutes, 'minutę', 'minuty', 'minut')}.`,
  },

  challenge: {
    code: 'Wpisz kod bezpieczeństwa',
    question: 'Odpowiedz na pytanie bezpieczeństwa',
    choice: 'Wybierz sposób potwierdzenia',
    approval: 'Zatwierdź w aplikacji banku',
    image: 'Wpisz widoczne znaki',
    imageCode: 'Zeskanuj obrazek, aby otrzymać kod',
    imageAlt: 'Obrazek z banku',
    lead: (bank) => `${bank} musi potwierdzić, że to Ty.`,
    leadReading: (bank) => `${bank} prosi o jeszcze jedno potwierdzenie przed udostępnieniem transakcji.`,
    verify: 'Potwierdź',
    next: 'Dalej',
    checkAgain: 'Sprawdź ponownie',
    waiting: 'Czekamy na zatwierdzenie…',
    stillWaiting:
      'Nie mamy jeszcze zatwierdzenia. Otwórz aplikację banku, zatwierdź logowanie i sprawdź ponownie.',
    chooseOne: 'Wybierz jedną opcję, aby przejść dalej.',
    missingCode: 'Wpisz kod.',
    missingAnswer: 'Wpisz odpowiedź.',
    resend: 'Wyślij ponownie',
    resendIn: (seconds) => `Wyślij ponownie za ${seconds} s`,
    resent: 'Wysłano ponownie.',
    otherMethod: 'Wybierz inny sposób',
    digits: (min, max) =>
      min === max ? `Wpisz wszystkie cyfry (${min}).` : `Wpisz od ${min} do ${max} cyfr.`,
    characters: (min, max) =>
      min === max ? `Wpisz wszystkie znaki (${min}).` : `Wpisz od ${min} do ${max} znaków.`,
  },

  redirect: {
    title: (bank) => `Dalej: ${bank}`,
    lead: (bank) => `${bank} otworzy się w nowym oknie. Zaloguj się tam, a wrócisz tu automatycznie.`,
    open: (bank) => `Otwórz ${bank}`,
    waiting: (bank) => `Dokończ logowanie: ${bank}`,
    waitingLead: 'Nie zamykaj tego okna. Przejdziemy dalej, gdy tylko się zalogujesz.',
    openAgain: 'Otwórz ponownie stronę banku',
    closed: 'Drugie okno zostało zamknięte. Otwórz je ponownie lub wpisz kod, który pokazało.',
    blocked: 'Jeśli okno się nie otworzyło, zezwól na wyskakujące okna i otwórz je ponownie.',
    code: 'Kod z drugiego okna',
    codeHint: 'Tylko jeśli po zalogowaniu pokazano Ci kod.',
    missing: 'Wpisz kod lub dokończ logowanie w banku.',
    wrongCode: 'Ten kod nie pasuje do Twojego logowania. Sprawdź go i spróbuj ponownie.',
  },

  returned: {
    codeTitle: 'Jeszcze jeden krok: wpisz ten kod',
    codeLead: (application, bank) => `Wpisz go w oknie, w którym łączysz ${bank} z ${application}.`,
    nativeLead: (application, bank) =>
      `Wróć do ${application}, aby dokończyć łączenie z ${bank}. Jeśli pojawi się prośba o kod, wpisz ten.`,
    backTo: (application) => `Wróć do ${application}`,
    warning: (application) =>
      `Ktoś inny przysłał Ci ten link? Zamknij tę stronę: z tym kodem Twój bank można połączyć z cudzym kontem w ${application}.`,
    done: 'Tutaj wszystko gotowe',
    close: 'Możesz zamknąć to okno.',
    ended: 'Ta strona wygasła',
    endedLead:
      'Wróć do okna, w którym łączysz bank. Jeśli jest zamknięte, zacznij od nowa w aplikacji lub na stronie.',
  },

  accounts: {
    title: 'Wybierz rachunki do udostępnienia',
    lead: (application) => `${application} zobaczy tylko wybrane rachunki.`,
    removed: (days) =>
      `Odznaczone rachunki nie będą już aktualizowane. Można je odczytać jeszcze przez ${days}, a potem zostaną usunięte.`,
    historyUntil: (time) => `Wybierz do ${time}. Później bank udostępni tylko ostatnie transakcje.`,
    chooseOne: 'Wybierz co najmniej jeden rachunek.',
    all: 'Zaznacz wszystkie',
    share: (count) => (count === 0 ? 'Udostępnij rachunki' : `Udostępnij ${accounts(count)}`),
    connected: 'Już połączono',
    connectedBefore: (names, application) =>
      `Już połączono: ${names}. Jeśli udostępnisz ponownie, ${application} otrzyma każdą transakcję dwa razy.`,
    renew: 'Odnów połączenie',
    types: {
      depository: 'Rachunek bankowy',
      credit: 'Rachunek kredytowy',
      loan: 'Pożyczka',
      investment: 'Inwestycja',
      other: 'Rachunek',
    },
    subtypes: {
      checking: 'Konto osobiste',
      savings: 'Konto oszczędnościowe',
      credit_card: 'Karta kredytowa',
      line_of_credit: 'Linia kredytowa',
      mortgage: 'Kredyt hipoteczny',
      brokerage: 'Rachunek maklerski',
      pension: 'Konto emerytalne',
    },
    ending: (digits) => `kończący się na ${digits}`,
  },

  importing: {
    title: 'Pobieramy Twoje transakcje',
    lead: 'Może to potrwać minutę. Nie zamykaj tego okna.',
    delayed: 'Trwa to dłużej niż zwykle. Przejdziemy dalej automatycznie.',
    waiting: (bank) => `Łączymy się z ${bank}…`,
    done: (count) => `Pobrane transakcje: ${number.format(count)}`,
    of: (count, total) => `Transakcje: ${number.format(count)} z ${number.format(total)}`,
  },

  success: {
    title: 'Twój bank jest połączony',
    restored: 'Połączenie jest znów aktualne',
    lead: (application, count, bank) => `${application} może teraz odczytać ${accounts(count)} w ${bank}.`,
    shared: 'Udostępnione rachunki',
    until: (until) => `Bank zezwala na to do ${until}. Odnowienie przed tą datą zapobiega przerwie.`,
    missing: (count, bank) =>
      `Brak już w ${bank}: ${accounts(count)}. Wcześniejsze transakcje pozostają zapisane.`,
  },

  failed: {
    tryAgain: 'Spróbuj ponownie',
    signInAgain: 'Zaloguj się ponownie',
    otherLogin: 'Użyj innego loginu',
    otherInstitution: 'Wybierz inny bank',
    restart: 'Zacznij od nowa',
    yourInstitution: 'Twój bank',
    reasons: {
      wrong_credentials: {
        title: 'Dane nie zostały przyjęte',
        text: (bank) =>
          `Bank odrzucił logowanie (${bank}). Sprawdź, czy możesz zalogować się na stronie banku, a potem zaloguj się ponownie.`,
      },
      wrong_answer: {
        title: 'Odpowiedź nie została przyjęta',
        text: (bank) => `Logowanie do ${bank} zakończyło się po błędnej odpowiedzi. Zaloguj się ponownie.`,
      },
      locked: {
        title: 'Twój dostęp jest zablokowany',
        text: (bank) => `Odblokuj go na stronie lub w aplikacji ${bank}, a potem spróbuj ponownie.`,
      },
      denied: {
        title: 'Logowanie nie zostało zatwierdzone',
        text: (bank) =>
          `Nie zatwierdzono go na stronie ani w aplikacji ${bank}. Zaloguj się ponownie i zatwierdź logowanie.`,
      },
      institution_down: {
        title: 'Bank jest nieosiągalny',
        text: (bank) => `${bank} jest teraz niedostępny. Spróbuj ponownie za kilka minut.`,
      },
      institution_timeout: {
        title: 'Bank nie odpowiada',
        text: (bank) => `Brak odpowiedzi na czas: ${bank}. Spróbuj ponownie za kilka minut.`,
      },
      institution_incomplete: {
        title: 'Nie można odczytać Twoich rachunków',
        text: (bank) => `Niepełna odpowiedź: ${bank}. Spróbuj ponownie później.`,
      },
      no_accounts: {
        title: 'Brak rachunków do udostępnienia',
        text: (bank) =>
          `Ten login nie ma w ${bank} rachunków, które można udostępnić. Użyj innego loginu lub wybierz inny bank.`,
      },
      accounts_mismatch: {
        title: 'Te rachunki się nie zgadzają',
        text: (bank) =>
          `Ten login nie ma rachunków, które były połączone w ${bank}. Zaloguj się poprzednim loginem.`,
      },
      user_action_required: {
        title: 'Bank wymaga najpierw Twojego działania',
        text: (bank) => `Zaloguj się na stronie ${bank}, wykonaj instrukcje i spróbuj ponownie.`,
      },
      session_expired: {
        title: 'Sesja wygasła',
        text: () => 'Zakończyła się dla ochrony Twoich danych. Nic nie udostępniono.',
      },
      cancelled: {
        title: 'Logowanie anulowane',
        text: () => 'Nic nie udostępniono.',
      },
      superseded: {
        title: 'Kontynuowano w innym oknie',
        text: () => 'Bank połączono w innym oknie. Tutaj nic nie udostępniono.',
      },
      internal: {
        title: 'Coś poszło nie tak',
        text: () => 'Problem leży po naszej stronie. Nic nie udostępniono. Spróbuj ponownie.',
      },
      origin_not_allowed: {
        title: 'Ta strona nie może łączyć banków',
        text: () => 'Nie jest do tego skonfigurowana. Wróć i spróbuj ponownie później.',
      },
      wrong_address: {
        title: 'Ta strona została otwarta pod niewłaściwym adresem',
        text: () => 'Nie można stąd połączyć banku. Wróć i spróbuj ponownie później.',
      },
      native_not_allowed: {
        title: 'Ta aplikacja nie może łączyć banków',
        text: () => 'Nie jest jeszcze do tego skonfigurowana. Wróć i spróbuj ponownie później.',
      },
      unknown_user: {
        title: 'Nie udało się potwierdzić sesji',
        text: () => 'Wróć tam, gdzie zaczęto, zaloguj się ponownie i spróbuj jeszcze raz.',
      },
      unknown_application: {
        title: 'Połączenia z bankami nie są poprawnie skonfigurowane',
        text: () => 'Wróć i spróbuj ponownie później.',
      },
      unknown_connection: {
        title: 'Tego połączenia nie można przywrócić',
        text: () =>
          'Zostało usunięte lub nie należy do Ciebie. Wróć tam, gdzie zaczęto, i spróbuj ponownie albo połącz bank na nowo.',
      },
    },
  },
};
