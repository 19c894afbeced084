// Français. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Il vous reste un essai.' : `Il vous reste ${count} essais.`;
const accounts = (count: number) => (count === 1 ? 'un compte' : `${count} comptes`);
const number = new Intl.NumberFormat('fr');

export const fr: Texts = {
  title: 'Connecter votre banque',
  close: 'Fermer',
  back: 'Retour',
  continue: 'Continuer',
  done: 'Terminé',
  loading: 'Un instant…',
  offline: 'Pas de connexion au service. Nouvel essai…',
  sandbox: 'Sandbox : aucune vraie banque n’est consultée',
  noHost:
    'Cette page fait partie d’une application. Revenez à l’application et connectez votre banque depuis celle-ci.',

  consent: {
    title: (application) => `${application} souhaite lire vos données bancaires`,
    points: (application) => [
      {
        title: 'Vous choisissez ce qui est partagé',
        text: 'Les comptes de votre choix : nom, quatre derniers chiffres, soldes et opérations.',
      },
      {
        title: 'En lecture seule',
        text: `${application} ne peut ni déplacer d’argent ni modifier quoi que ce soit dans votre banque.`,
      },
      {
        title: 'Votre mot de passe reste privé',
        text: `${application} ne le voit jamais. Il est conservé chiffré, uniquement pour tenir vos données à jour.`,
      },
      {
        title: 'Vous pouvez arrêter à tout moment',
        text: `Demandez à ${application} de déconnecter votre banque. Ce qui est stocké est supprimé après 30 jours.`,
      },
    ],
    agree: 'En continuant, vous acceptez de partager ces données.',
  },

  institution: {
    title: 'Choisissez votre banque',
    search: 'Rechercher une banque',
    found: (count) => (count === 1 ? 'Une banque trouvée' : `${count} banques trouvées`),
    notFound: (search) => `Aucune banque trouvée pour « ${search} »`,
    notFoundHint: 'Vérifiez l’orthographe ou essayez une partie plus courte du nom.',
    clear: 'Effacer',
    notListed: 'Ma banque n’est pas dans la liste',
    notListedTitle: 'Votre banque n’est pas dans la liste',
    notListedHint: (application) =>
      `${application} ne peut pas encore connecter votre banque ici. Dites à ${application} de quelle banque vous avez besoin, ou choisissez-en une autre.`,
    backToList: 'Retour à la liste',
    noInstitutions: 'Aucune banque disponible pour l’instant',
    noInstitutionsHint: (application) =>
      `${application} n’a encore configuré aucune banque. Veuillez réessayer plus tard.`,
  },

  credentials: {
    title: (bank) => `Se connecter à ${bank}`,
    reconnect: (application) =>
      `${application} a perdu l’accès. Identifiez-vous une nouvelle fois pour le rétablir ; rien d’autre ne change.`,
    lead: 'Avec les mêmes identifiants que sur le site de votre banque.',
    ownPage: (bank) => `Vous vous identifiez sur la page de ${bank}. L’étape suivante y mène.`,
    show: 'Afficher',
    hide: 'Masquer',
    missing: (label) => `Veuillez remplir : ${label}`,
    help: (bank) => `Obtenir de l’aide de ${bank}`,
    private: (application) => `${application} ne voit pas ce que vous saisissez ici.`,
  },

  labels: {
    username: () => 'Identifiant',
    email: () => 'Adresse e-mail',
    customer_number: () => 'Numéro de client',
    password: () => 'Mot de passe',
    pin: () => 'Code PIN',
    code_sms: (value) => (value ? `Code envoyé par SMS au ${value}` : 'Code envoyé par SMS'),
    code_call: (value) => (value ? `Code donné par appel au ${value}` : 'Code donné par appel téléphonique'),
    code_email: (value) => (value ? `Code envoyé par e-mail à ${value}` : 'Code envoyé par e-mail'),
    code_app: (value) => `Code de ${value ?? 'votre application d’authentification'}`,
    code_device: (value) => `Code de votre lecteur de carte${value ? ` pour ${value}` : ''}`,
    choose_method: () => 'Où devons-nous envoyer votre code ?',
    choose_tan_method: () => 'Quelle méthode TAN souhaitez-vous utiliser ?',
    choose_tan_medium: () => 'Quel appareil souhaitez-vous utiliser ?',
    method_sms: (value) => (value ? `SMS au ${value}` : 'SMS'),
    method_call: (value) => (value ? `Appel au ${value}` : 'Appel téléphonique'),
    method_email: (value) => (value ? `E-mail à ${value}` : 'E-mail'),
    method_app: (value) => (value ? `Application ${value}` : 'Application de votre banque'),
    approve_app: (value) => `Validez cette connexion dans l’application ${value ?? 'de votre banque'}`,
    picture: () => 'Caractères de l’image',
  },

  errors: {
    wrong_credentials: (bank) =>
      `${bank} n’a pas accepté ces identifiants. Veuillez les vérifier et réessayer.`,
    wrong_answer: (bank) => `${bank} n’a pas accepté cette réponse. Veuillez réessayer.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Il y a eu trop de tentatives de connexion : rien n’a été envoyé à votre banque. Veuillez réessayer dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`,
  },

  challenge: {
    code: 'Saisissez votre code de sécurité',
    question: 'Répondez à votre question de sécurité',
    choice: 'Confirmez que c’est bien vous',
    approval: 'Validez dans l’application de votre banque',
    image: 'Saisissez ce que vous voyez',
    imageAlt: 'Image avec les caractères à saisir',
    lead: (bank) => `${bank} veut s’assurer que c’est bien vous.`,
    waiting: 'En attente de votre validation…',
    stillWaiting:
      'Aucune validation n’est encore arrivée. Ouvrez l’application de votre banque, validez, puis continuez ici.',
    chooseOne: 'Veuillez faire un choix.',
    resend: 'Renvoyer',
    resendIn: (seconds) => `Renvoyer dans ${seconds} s`,
    resent: 'Renvoyé.',
    otherMethod: 'Essayer autrement',
    digits: (min, max) =>
      min === max ? `Saisissez ${min} chiffres.` : `Saisissez de ${min} à ${max} chiffres.`,
    characters: (min, max) =>
      min === max ? `Saisissez ${min} caractères.` : `Saisissez de ${min} à ${max} caractères.`,
  },

  redirect: {
    title: (bank) => `Continuez chez ${bank}`,
    lead: (bank) =>
      `${bank} vous identifie uniquement sur sa propre page. Elle s’ouvre dans une nouvelle fenêtre ; ensuite, vous revenez ici.`,
    open: (bank) => `Ouvrir ${bank}`,
    waiting: (bank) => `Terminez l’identification chez ${bank}`,
    waitingLead: 'Gardez cette fenêtre ouverte. La suite vient dès que vous vous êtes identifié là-bas.',
    openAgain: 'Ouvrir à nouveau la page de la banque',
    closed:
      'La fenêtre de votre banque semble fermée. Ouvrez-la à nouveau ou saisissez le code qu’elle a affiché.',
    blocked: 'Si aucune fenêtre ne s’est ouverte, autorisez-la dans votre navigateur et ouvrez-la à nouveau.',
    code: 'Code de la dernière page',
    codeHint: 'Seulement si la fenêtre de la banque se termine par un code.',
    missing: 'Saisissez le code ou terminez l’identification chez votre banque.',
    wrongCode: 'Ce n’est pas le code de votre identification. Vérifiez-le et réessayez.',
  },

  returned: {
    codeTitle: 'Encore une étape : saisissez ce code',
    codeLead: (application, bank) =>
      `Saisissez-le dans la fenêtre où vous connectez ${bank} à ${application}.`,
    nativeLead: (application, bank) =>
      `Continuez dans ${application}, où vous connectez ${bank}. Si un code y est demandé, saisissez celui-ci.`,
    backTo: (application) => `Revenir à ${application}`,
    warning: (application) =>
      `Quelqu’un vous a envoyé ici ? Fermez cette page : avec le code, votre banque serait connectée à son compte chez ${application}.`,
    done: 'Vous êtes de retour',
    close: 'Vous pouvez fermer cette fenêtre.',
    ended: 'Cette page n’est plus valable',
    endedLead:
      'Revenez à la fenêtre où vous connectez votre banque. Si elle est terminée, recommencez depuis là.',
  },

  accounts: {
    title: 'Choisissez les comptes à partager',
    lead: (application) => `${application} ne verra que les comptes que vous choisissez.`,
    chooseOne: 'Veuillez choisir au moins un compte.',
    all: 'Tout choisir',
    types: {
      depository: 'Compte bancaire',
      credit: 'Compte de crédit',
      loan: 'Prêt',
      investment: 'Placement',
      other: 'Compte',
    },
    subtypes: {
      checking: 'Compte courant',
      savings: 'Compte d’épargne',
      credit_card: 'Carte de crédit',
      line_of_credit: 'Ligne de crédit',
      mortgage: 'Prêt immobilier',
      brokerage: 'Compte-titres',
      pension: 'Épargne retraite',
    },
    ending: (digits) => `se terminant par ${digits}`,
  },

  importing: {
    title: 'Lecture de vos opérations',
    lead: 'Cela peut prendre une minute. Veuillez garder cette fenêtre ouverte.',
    delayed: 'Cela prend plus de temps que d’habitude. La lecture reprendra dès que le service sera prêt.',
    waiting: (bank) => `Demande à ${bank}…`,
    done: (count) => `${number.format(count)} opérations pour l’instant`,
    of: (count, total) => `${number.format(count)} opérations sur ${number.format(total)}`,
  },

  success: {
    title: 'Votre banque est connectée',
    restored: 'Votre connexion est rétablie',
    lead: (application, count, bank) =>
      `${application} peut maintenant lire ${accounts(count)} chez ${bank}.`,
    shared: 'Comptes partagés',
  },

  failed: {
    tryAgain: 'Réessayer',
    otherInstitution: 'Choisir une autre banque',
    restart: 'Recommencer',
    yourInstitution: 'votre banque',
    reasons: {
      wrong_credentials: {
        title: 'Les identifiants n’ont pas été acceptés',
        text: () =>
          'La banque les a refusés trop souvent. Vérifiez-les sur le site de votre banque, puis réessayez.',
      },
      wrong_answer: {
        title: 'La réponse n’a pas été acceptée',
        text: () => 'La connexion a pris fin après trop de réponses erronées. Identifiez-vous à nouveau.',
      },
      locked: {
        title: 'Votre accès bancaire est bloqué',
        text: (bank) => `Débloquez-le sur le site ou dans l’application de ${bank}, puis réessayez ici.`,
      },
      denied: {
        title: 'La demande a été refusée',
        text: (bank) =>
          `Elle a été refusée dans l’application de ${bank}. Si c’était une erreur, identifiez-vous à nouveau et validez-la.`,
      },
      institution_down: {
        title: 'Votre banque est injoignable',
        text: (bank) => `Pas de réponse de ${bank} pour le moment. Veuillez réessayer dans quelques minutes.`,
      },
      institution_timeout: {
        title: 'Votre banque met trop de temps',
        text: (bank) => `Pas de réponse de ${bank} dans les temps. Veuillez réessayer dans quelques minutes.`,
      },
      no_accounts: {
        title: 'Aucun compte à partager',
        text: (bank) =>
          `Cet accès chez ${bank} n’a aucun compte qui puisse être partagé. Essayez un autre accès ou une autre banque.`,
      },
      accounts_mismatch: {
        title: 'Ce sont d’autres comptes',
        text: (bank) =>
          `Cet accès chez ${bank} n’a pas les comptes qui étaient connectés. Identifiez-vous avec l’accès utilisé alors.`,
      },
      user_action_required: {
        title: 'Votre banque attend d’abord quelque chose de vous',
        text: (bank) =>
          `Identifiez-vous sur le site de ${bank}, suivez ses instructions, puis réessayez ici.`,
      },
      session_expired: {
        title: 'Cela a pris trop de temps',
        text: () =>
          'Pour votre sécurité, la session est terminée. Rien n’a été partagé. Vous pouvez recommencer maintenant.',
      },
      cancelled: {
        title: 'Cette session a été fermée',
        text: () => 'Rien n’a été partagé. Vous pouvez recommencer maintenant.',
      },
      superseded: {
        title: 'Poursuivi ailleurs',
        text: () =>
          'La même connexion a été ouverte une deuxième fois, et celle-ci est terminée. Rien n’a été partagé ici.',
      },
      internal: {
        title: 'Un problème est survenu',
        text: () => 'L’erreur vient de nous. Rien n’a été partagé. Veuillez réessayer.',
      },
      origin_not_allowed: {
        title: 'Ce site ne peut pas connecter de banque',
        text: () =>
          'L’application ne le permet pas ici. Si vous gérez ce site, ajoutez son origine à l’application.',
      },
      native_not_allowed: {
        title: 'Cette app ne peut pas connecter de banque',
        text: () =>
          'Si vous développez cette app, autorisez l’usage natif pour l’application et enregistrez son adresse de retour.',
      },
      unknown_user: {
        title: 'Nous ne savons pas qui vous êtes',
        text: () =>
          'L’application n’a pas confirmé votre connexion. Retournez-y et identifiez-vous à nouveau.',
      },
      unknown_application: {
        title: 'Cette application est inconnue',
        text: () => 'Si vous gérez ce site, vérifiez l’identifiant de l’application.',
      },
      unknown_connection: {
        title: 'Cette connexion ne peut pas être rétablie',
        text: () =>
          'Elle a été supprimée, ou l’application n’a pas confirmé qu’elle vous appartient. Veuillez y revenir et réessayer, ou connecter votre banque à nouveau.',
      },
    },
  },
};
