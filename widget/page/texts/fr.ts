// Français. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Il vous reste un essai.' : `Il vous reste ${count} essais.`;
const accounts = (count: number) => (count === 1 ? 'un compte' : `${count} comptes`);
const number = new Intl.NumberFormat('fr');
const operations = (count: number) =>
  count < 2 ? `${count} opération` : `${number.format(count)} opérations`;
const lowerFirst = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;

export const fr: Texts = {
  title: 'Connecter votre banque',
  close: 'Fermer',
  back: 'Retour',
  done: 'Terminé',
  loading: 'Un instant…',
  offline: 'Pas de connexion. Nouvel essai…',
  sandbox: 'Sandbox : aucune vraie banque n’est connectée',
  noHost:
    'Cette page fait partie d’une autre application. Revenez-y et connectez votre banque depuis celle-ci.',

  leave: {
    title: 'Quitter sans terminer ?',
    text: (application) => `Vous n’avez pas fini de connecter votre banque à ${application}.`,
    importing:
      'Vos opérations sont en cours de lecture. Si vous quittez maintenant, vous devrez tout recommencer.',
    stay: 'Continuer',
    leave: 'Quitter',
  },

  consent: {
    agree: 'Accepter et continuer',
  },

  institution: {
    title: 'Choisissez votre banque',
    search: 'Rechercher une banque',
    found: (count) => (count === 1 ? '1 banque trouvée' : `${count} banques trouvées`),
    notFound: (search) => `Aucun résultat pour « ${search} »`,
    notFoundHint: 'Vérifiez l’orthographe ou saisissez une partie du nom.',
    clear: 'Effacer',
    business: 'professionnels',
    beta: 'bêta',
    notListed: 'Ma banque n’est pas dans la liste',
    notListedTitle: 'Votre banque n’est pas encore disponible',
    notListedHint: (application) =>
      `Indiquez à ${application} la banque dont vous avez besoin, ou choisissez-en une autre.`,
    backToList: 'Retour à la liste',
    noInstitutions: 'Aucune banque disponible pour le moment',
    noInstitutionsHint: (application) =>
      `${application} n’a pas encore ajouté de banque. Réessayez plus tard.`,
  },

  credentials: {
    optional: 'facultatif',
    title: (bank) => `Connexion à ${bank}`,
    reconnect: (bank) =>
      `Votre connexion à ${bank} doit être renouvelée. Identifiez-vous à nouveau pour garder vos données à jour.`,
    lead: 'Utilisez les mêmes identifiants que sur le site de votre banque.',
    ownPage: (bank) => `Vous vous identifierez sur la page de ${bank}.`,
    signIn: 'Se connecter',
    toOwnPage: (bank) => `Continuer vers ${bank}`,
    show: 'Afficher',
    hide: 'Masquer',
    missing: (label) => `Saisissez votre ${lowerFirst(label)}`,
    help: (bank) => `Obtenir de l’aide de ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Chiffré, transmis à ${bank} par ${operator} et conservé uniquement pour actualiser vos données.`
        : `Chiffré, transmis à ${bank} et conservé uniquement pour actualiser vos données.`,
  },

  labels: {
    username: () => 'Identifiant',
    email: () => 'Adresse e-mail',
    customer_number: () => 'Numéro client',
    password: () => 'Mot de passe',
    pin: () => 'Code PIN',
    code_sms: (value) => (value ? `Code envoyé par SMS au ${value}` : 'Code envoyé par SMS'),
    code_call: (value) => (value ? `Code donné par appel au ${value}` : 'Code donné par téléphone'),
    code_email: (value) => (value ? `Code envoyé par e-mail à ${value}` : 'Code envoyé par e-mail'),
    code_app: (value) => `Code de ${value ?? 'votre application d’authentification'}`,
    code_device: (value) => `Code de votre lecteur de carte${value ? ` pour ${value}` : ''}`,
    choose_method: () => 'Comment recevoir votre code ?',
    choose_tan_method: () => 'Quelle méthode TAN voulez-vous utiliser ?',
    choose_tan_medium: () => 'Quel appareil voulez-vous utiliser ?',
    method_sms: (value) => (value ? `SMS au ${value}` : 'SMS'),
    method_call: (value) => (value ? `Appel au ${value}` : 'Appel téléphonique'),
    method_email: (value) => (value ? `E-mail à ${value}` : 'E-mail'),
    method_app: (value) => (value ? `Application ${value}` : 'Application de votre banque'),
    approve_app: (value) =>
      value
        ? `Ouvrez l’application ${value} et approuvez cette connexion.`
        : 'Ouvrez l’application de votre banque et approuvez cette connexion.',
    picture: () => 'Caractères de l’image',
    choose_account_use: () => 'À quoi sert le compte ?',
    use_personal: () => 'Particulier',
    use_business: () => 'Professionnel',
    open_bank_page: () => 'Continuez sur la page de votre banque',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} n’a pas accepté ces identifiants. Vérifiez-les et réessayez.`,
    wrong_answer: (bank) => `${bank} n’a pas accepté cette réponse. Réessayez.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Trop de tentatives. Rien n’a été envoyé à votre banque. Réessayez dans ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  },

  challenge: {
    code: 'Saisissez votre code de sécurité',
    question: 'Répondez à votre question de sécurité',
    choice: 'Choisissez comment confirmer',
    approval: 'Approuvez dans l’application de votre banque',
    image: 'Saisissez les caractères de l’image',
    imageCode: 'Scannez cette image pour obtenir votre code',
    imageAlt: 'Image de votre banque',
    lead: (bank) => `${bank} doit vérifier qu’il s’agit bien de vous.`,
    leadReading: (bank) => `${bank} demande une nouvelle confirmation avant de partager vos opérations.`,
    verify: 'Vérifier',
    next: 'Continuer',
    checkAgain: 'Vérifier à nouveau',
    waiting: 'En attente de votre approbation…',
    stillWaiting:
      'Nous n’avons pas reçu votre approbation. Ouvrez l’application de votre banque, approuvez la connexion, puis vérifiez à nouveau.',
    chooseOne: 'Choisissez une option pour continuer.',
    missingCode: 'Saisissez le code.',
    missingAnswer: 'Saisissez votre réponse.',
    resend: 'Renvoyer',
    resendIn: (seconds) => `Renvoyer dans ${seconds} s`,
    resent: 'Renvoyé.',
    otherMethod: 'Essayer autrement',
    digits: (min, max) =>
      min === max ? `Saisissez les ${min} chiffres.` : `Saisissez de ${min} à ${max} chiffres.`,
    characters: (min, max) =>
      min === max ? `Saisissez les ${min} caractères.` : `Saisissez de ${min} à ${max} caractères.`,
  },

  redirect: {
    title: (bank) => `Continuer chez ${bank}`,
    lead: (bank) =>
      `${bank} s’ouvre dans une nouvelle fenêtre. Identifiez-vous, puis vous reviendrez ici automatiquement.`,
    open: (bank) => `Ouvrir ${bank}`,
    waiting: (bank) => `Terminez la connexion chez ${bank}`,
    waitingLead: 'Gardez cette fenêtre ouverte. La suite est automatique une fois la connexion faite.',
    openAgain: 'Rouvrir la page de la banque',
    closed: 'L’autre fenêtre a été fermée. Rouvrez-la ou saisissez le code qu’elle a affiché.',
    blocked:
      'Si aucune fenêtre ne s’est ouverte, autorisez les fenêtres pop-up pour cette page et rouvrez-la.',
    code: 'Code de l’autre fenêtre',
    codeHint: 'Seulement si un code s’est affiché après votre connexion.',
    missing: 'Saisissez le code ou terminez la connexion chez votre banque.',
    wrongCode: 'Ce code ne correspond pas à votre connexion. Vérifiez-le et réessayez.',
  },

  returned: {
    codeTitle: 'Encore une étape : saisissez ce code',
    codeLead: (application, bank) =>
      `Saisissez-le dans la fenêtre où vous connectez ${bank} à ${application}.`,
    nativeLead: (application, bank) =>
      `Revenez à ${application} pour terminer la connexion de ${bank}. Si un code vous est demandé, saisissez celui-ci.`,
    backTo: (application) => `Retour à ${application}`,
    warning: (application) =>
      `Quelqu’un d’autre vous a envoyé ici ? Fermez cette page : avec ce code, votre banque pourrait être connectée au compte ${application} de cette personne.`,
    done: 'C’est terminé ici',
    close: 'Vous pouvez fermer cette fenêtre.',
    ended: 'Cette page a expiré',
    endedLead:
      'Revenez à la fenêtre où vous connectez votre banque. Si elle est fermée, recommencez depuis l’application ou le site.',
  },

  accounts: {
    title: 'Choisissez les comptes à partager',
    lead: (application) => `${application} ne verra que les comptes que vous choisissez.`,
    removed: (days) =>
      `Les comptes que vous retirez ne seront plus mis à jour. Ils restent lisibles pendant ${days}, puis sont supprimés.`,
    historyUntil: (time) =>
      `Choisissez avant ${time}. Ensuite, votre banque ne donne plus que les opérations récentes.`,
    chooseOne: 'Choisissez au moins un compte.',
    all: 'Tout sélectionner',
    share: (count) =>
      count === 0 ? 'Partager les comptes' : count === 1 ? 'Partager 1 compte' : `Partager ${count} comptes`,
    connected: 'Déjà connecté',
    connectedBefore: (names, application) =>
      `Déjà connecté : ${names}. Si vous partagez de nouveau, ${application} recevra chaque opération deux fois.`,
    renew: 'Renouveler la connexion',
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
    lead: 'Cela peut prendre une minute. Gardez cette fenêtre ouverte.',
    delayed: 'Cela prend plus de temps que d’habitude. La suite est automatique.',
    waiting: (bank) => `Contact de ${bank}…`,
    done: (count) => `${operations(count)} pour l’instant`,
    of: (count, total) => `${operations(count)} sur ${number.format(total)}`,
  },

  success: {
    title: 'Votre banque est connectée',
    restored: 'Votre connexion est à jour',
    lead: (application, count, bank) =>
      `${application} peut maintenant lire ${accounts(count)} chez ${bank}.`,
    shared: 'Comptes partagés',
    until: (until) =>
      `La banque l’autorise jusqu’au ${until}. En renouvelant avant cette date, vous évitez une interruption.`,
    missing: (count, bank) =>
      `Nous ne trouvons plus chez ${bank} : ${accounts(count)}. Les opérations passées sont conservées.`,
  },

  failed: {
    tryAgain: 'Réessayer',
    signInAgain: 'Se reconnecter',
    otherLogin: 'Utiliser un autre accès',
    otherInstitution: 'Choisir une autre banque',
    restart: 'Recommencer',
    yourInstitution: 'votre banque',
    reasons: {
      wrong_credentials: {
        title: 'Vos identifiants n’ont pas été acceptés',
        text: (bank) =>
          `${bank} a refusé votre connexion. Vérifiez que vous pouvez vous connecter sur le site de votre banque, puis reconnectez-vous.`,
      },
      wrong_answer: {
        title: 'Votre réponse n’a pas été acceptée',
        text: (bank) => `La connexion à ${bank} a pris fin après une réponse incorrecte. Reconnectez-vous.`,
      },
      locked: {
        title: 'Votre accès est bloqué',
        text: (bank) => `Débloquez-le sur le site ou dans l’application de ${bank}, puis réessayez.`,
      },
      denied: {
        title: 'Votre connexion n’a pas été approuvée',
        text: (bank) =>
          `Elle n’a été approuvée ni sur le site ni dans l’application de ${bank}. Reconnectez-vous et approuvez-la.`,
      },
      institution_down: {
        title: 'Votre banque est injoignable',
        text: (bank) => `${bank} n’est pas disponible pour le moment. Réessayez dans quelques minutes.`,
      },
      institution_timeout: {
        title: 'Votre banque ne répond pas',
        text: (bank) => `${bank} n’a pas répondu à temps. Réessayez dans quelques minutes.`,
      },
      institution_incomplete: {
        title: 'Vos comptes ne peuvent pas être lus',
        text: (bank) => `${bank} n’a pas envoyé toutes vos données. Réessayez plus tard.`,
      },
      no_accounts: {
        title: 'Aucun compte à partager',
        text: (bank) =>
          `Cet accès n’a aucun compte à partager chez ${bank}. Utilisez un autre accès ou choisissez une autre banque.`,
      },
      accounts_mismatch: {
        title: 'Ces comptes ne correspondent pas',
        text: (bank) =>
          `Cet accès n’a pas les comptes qui étaient connectés chez ${bank}. Connectez-vous avec l’accès utilisé auparavant.`,
      },
      user_action_required: {
        title: 'Votre banque attend d’abord une action de votre part',
        text: (bank) => `Connectez-vous sur le site de ${bank}, suivez ses instructions, puis réessayez.`,
      },
      session_expired: {
        title: 'Votre session a expiré',
        text: () => 'Elle a pris fin pour protéger vos données. Rien n’a été partagé.',
      },
      cancelled: {
        title: 'Connexion annulée',
        text: () => 'Rien n’a été partagé.',
      },
      superseded: {
        title: 'Poursuivi dans une autre fenêtre',
        text: () => 'Vous avez connecté une banque dans une autre fenêtre. Rien n’a été partagé ici.',
      },
      internal: {
        title: 'Une erreur s’est produite',
        text: () => 'Le problème vient de notre côté. Rien n’a été partagé. Réessayez.',
      },
      origin_not_allowed: {
        title: 'Ce site ne peut pas connecter de banque',
        text: () => 'Il n’est pas configuré pour cela. Revenez en arrière et réessayez plus tard.',
      },
      wrong_address: {
        title: 'Cette page a été ouverte à une mauvaise adresse',
        text: () => 'Aucune banque ne peut être connectée d’ici. Revenez en arrière et réessayez plus tard.',
      },
      native_not_allowed: {
        title: 'Cette application ne peut pas connecter de banque',
        text: () => 'Elle n’est pas encore configurée pour cela. Revenez en arrière et réessayez plus tard.',
      },
      unknown_user: {
        title: 'Nous n’avons pas pu vérifier votre session',
        text: () => 'Revenez là où vous avez commencé, reconnectez-vous, puis réessayez.',
      },
      unknown_application: {
        title: 'Les connexions bancaires ne sont pas bien configurées',
        text: () => 'Revenez en arrière et réessayez plus tard.',
      },
      unknown_connection: {
        title: 'Cette connexion ne peut pas être rétablie',
        text: () =>
          'Elle a été supprimée ou n’est pas la vôtre. Revenez là où vous avez commencé et réessayez, ou connectez votre banque à nouveau.',
      },
    },
  },
};
