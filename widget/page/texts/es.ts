// Español. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Le queda un intento.' : `Le quedan ${count} intentos.`;
const accounts = (count: number) => (count === 1 ? 'una cuenta' : `${count} cuentas`);
const number = new Intl.NumberFormat('es');
const movements = (count: number) => (count === 1 ? '1 movimiento' : `${number.format(count)} movimientos`);
const lowerFirst = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;

export const es: Texts = {
  title: 'Conecte su banco',
  close: 'Cerrar',
  back: 'Atrás',
  done: 'Listo',
  loading: 'Un momento…',
  offline: 'Sin conexión. Intentándolo de nuevo…',
  sandbox: 'Sandbox: sin conexión con un banco real',
  noHost: 'Esta página forma parte de otra aplicación. Vuelva a ella y conecte su banco desde allí.',

  leave: {
    title: '¿Salir sin terminar?',
    text: (application) => `Aún no ha terminado de conectar su banco con ${application}.`,
    importing: 'Aún se están leyendo sus movimientos. Si sale ahora, tendrá que empezar de nuevo.',
    stay: 'Continuar',
    leave: 'Salir',
  },

  consent: {
    agree: 'Aceptar y continuar',
  },

  institution: {
    title: 'Elija su banco',
    search: 'Buscar bancos',
    found: (count) => (count === 1 ? '1 banco encontrado' : `${count} bancos encontrados`),
    notFound: (search) => `Sin resultados para «${search}»`,
    notFoundHint: 'Revise la ortografía o escriba solo una parte del nombre.',
    clear: 'Borrar',
    business: 'empresas',
    beta: 'beta',
    notListed: 'Mi banco no aparece',
    notListedTitle: 'Su banco aún no está disponible',
    notListedHint: (application) => `Diga a ${application} qué banco necesita, o elija otro.`,
    backToList: 'Volver a la lista',
    noInstitutions: 'Aún no hay bancos disponibles',
    noInstitutionsHint: (application) =>
      `${application} aún no ha añadido ningún banco. Inténtelo más tarde.`,
  },

  credentials: {
    optional: 'opcional',
    title: (bank) => `Inicie sesión en ${bank}`,
    reconnect: (bank) =>
      `Su conexión con ${bank} requiere atención. Inicie sesión de nuevo para mantener sus datos al día.`,
    lead: 'Use los mismos datos que en la web de su banco.',
    ownPage: (bank) => `Iniciará sesión en la página de ${bank}.`,
    signIn: 'Iniciar sesión',
    toOwnPage: (bank) => `Continuar a ${bank}`,
    show: 'Mostrar',
    hide: 'Ocultar',
    missing: (label) => `Introduzca su ${lowerFirst(label)}`,
    help: (bank) => `Obtener ayuda de ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Cifrado, enviado a ${bank} por ${operator} y guardado solo para actualizar sus datos.`
        : `Cifrado, enviado a ${bank} y guardado solo para actualizar sus datos.`,
  },

  labels: {
    username: () => 'Usuario',
    email: () => 'Correo electrónico',
    customer_number: () => 'Número de cliente',
    password: () => 'Contraseña',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Código enviado por SMS al ${value}` : 'Código enviado por SMS'),
    code_call: (value) => (value ? `Código de la llamada al ${value}` : 'Código de la llamada'),
    code_email: (value) => (value ? `Código enviado por correo a ${value}` : 'Código enviado por correo'),
    code_app: (value) => `Código de ${value ?? 'su aplicación de autenticación'}`,
    code_device: (value) => `Código de su lector de tarjetas${value ? ` para ${value}` : ''}`,
    choose_method: () => '¿Cómo quiere recibir su código?',
    choose_tan_method: () => '¿Qué método TAN quiere usar?',
    choose_tan_medium: () => '¿Qué dispositivo quiere usar?',
    method_sms: (value) => (value ? `SMS al ${value}` : 'SMS'),
    method_call: (value) => (value ? `Llamada al ${value}` : 'Llamada'),
    method_email: (value) => (value ? `Correo a ${value}` : 'Correo electrónico'),
    method_app: (value) => (value ? `Aplicación ${value}` : 'Aplicación de su banco'),
    approve_app: (value) =>
      value
        ? `Abra la aplicación ${value} y apruebe este inicio de sesión.`
        : 'Abra la aplicación de su banco y apruebe este inicio de sesión.',
    picture: () => 'Caracteres de la imagen',
    choose_account_use: () => '¿Para qué usa la cuenta?',
    use_personal: () => 'Personal',
    use_business: () => 'Empresa',
    open_bank_page: () => 'Continúe en la página de su banco',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} no ha aceptado estos datos. Revíselos e inténtelo de nuevo.`,
    wrong_answer: (bank) => `${bank} no ha aceptado esta respuesta. Inténtelo de nuevo.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Demasiados intentos. No se ha enviado nada a su banco. Inténtelo de nuevo en ${minutes === 1 ? '1 minuto' : `${minutes} minutos`}.`,
  },

  challenge: {
    code: 'Introduzca su código de seguridad',
    question: 'Responda a su pregunta de seguridad',
    choice: 'Elija cómo verificarse',
    approval: 'Apruébelo en la aplicación de su banco',
    image: 'Introduzca los caracteres que ve',
    imageCode: 'Escanee esta imagen para obtener su código',
    imageAlt: 'Imagen de su banco',
    lead: (bank) => `${bank} necesita verificar que es usted.`,
    leadReading: (bank) => `${bank} pregunta de nuevo antes de compartir sus movimientos.`,
    verify: 'Verificar',
    next: 'Continuar',
    checkAgain: 'Comprobar de nuevo',
    waiting: 'Esperando su aprobación…',
    stillWaiting:
      'No hemos recibido su aprobación. Abra la aplicación de su banco, apruebe el inicio de sesión y compruébelo de nuevo.',
    chooseOne: 'Elija una opción para continuar.',
    missingCode: 'Introduzca el código.',
    missingAnswer: 'Introduzca su respuesta.',
    resend: 'Enviar de nuevo',
    resendIn: (seconds) => `Enviar de nuevo en ${seconds} s`,
    resent: 'Enviado de nuevo.',
    otherMethod: 'Probar de otra forma',
    digits: (min, max) =>
      min === max ? `Introduzca los ${min} dígitos.` : `Introduzca de ${min} a ${max} dígitos.`,
    characters: (min, max) =>
      min === max ? `Introduzca los ${min} caracteres.` : `Introduzca de ${min} a ${max} caracteres.`,
  },

  redirect: {
    title: (bank) => `Continúe en ${bank}`,
    lead: (bank) =>
      `${bank} se abre en una ventana nueva. Inicie sesión allí y volverá aquí automáticamente.`,
    open: (bank) => `Abrir ${bank}`,
    waiting: (bank) => `Termine de iniciar sesión en ${bank}`,
    waitingLead: 'Mantenga abierta esta ventana. Continuará en cuanto haya iniciado sesión.',
    openAgain: 'Abrir de nuevo la página del banco',
    closed: 'La otra ventana se ha cerrado. Ábrala de nuevo o introduzca el código que mostró.',
    blocked: 'Si no se ha abierto ninguna ventana, permita las ventanas emergentes y ábrala de nuevo.',
    code: 'Código de la otra ventana',
    codeHint: 'Solo si se le mostró un código después de iniciar sesión.',
    missing: 'Introduzca el código o termine de iniciar sesión en su banco.',
    wrongCode: 'Este código no corresponde a su inicio de sesión. Revíselo e inténtelo de nuevo.',
  },

  returned: {
    codeTitle: 'Un paso más: introduzca este código',
    codeLead: (application, bank) =>
      `Introdúzcalo en la ventana en la que conecta ${bank} con ${application}.`,
    nativeLead: (application, bank) =>
      `Vuelva a ${application} para terminar de conectar ${bank}. Si se le pide un código, introduzca este.`,
    backTo: (application) => `Volver a ${application}`,
    warning: (application) =>
      `¿Le ha enviado aquí otra persona? Cierre esta página: con este código podría conectar su banco a su propia cuenta de ${application}.`,
    done: 'Ya ha terminado aquí',
    close: 'Puede cerrar esta ventana.',
    ended: 'Esta página ha caducado',
    endedLead:
      'Vuelva a la ventana en la que conecta su banco. Si se ha cerrado, empiece de nuevo desde la aplicación o el sitio web.',
  },

  accounts: {
    title: 'Elija las cuentas que quiere compartir',
    lead: (application) => `${application} solo verá las cuentas que elija.`,
    removed: (days) =>
      `Las cuentas que quite ya no se actualizarán. Se podrán leer ${days} más y después se borrarán.`,
    historyUntil: (time) =>
      `Elija antes de las ${time}. Después, su banco solo dará los movimientos recientes.`,
    chooseOne: 'Elija al menos una cuenta.',
    all: 'Seleccionar todas',
    share: (count) =>
      count === 0 ? 'Compartir cuentas' : count === 1 ? 'Compartir 1 cuenta' : `Compartir ${count} cuentas`,
    connected: 'Ya está conectado',
    connectedBefore: (names, application) =>
      `Ya conectado: ${names}. Si vuelve a compartir, ${application} recibirá cada movimiento dos veces.`,
    renew: 'Renovar la conexión',
    types: {
      depository: 'Cuenta bancaria',
      credit: 'Cuenta de crédito',
      loan: 'Préstamo',
      investment: 'Inversión',
      other: 'Cuenta',
    },
    subtypes: {
      checking: 'Cuenta corriente',
      savings: 'Cuenta de ahorro',
      credit_card: 'Tarjeta de crédito',
      line_of_credit: 'Línea de crédito',
      mortgage: 'Hipoteca',
      brokerage: 'Cuenta de valores',
      pension: 'Plan de pensiones',
    },
    ending: (digits) => `terminada en ${digits}`,
  },

  importing: {
    title: 'Obteniendo sus movimientos',
    lead: 'Puede tardar un minuto. Mantenga abierta esta ventana.',
    delayed: 'Está tardando más de lo habitual. Continuará automáticamente.',
    waiting: (bank) => `Contactando con ${bank}…`,
    done: (count) => `${movements(count)} hasta ahora`,
    of: (count, total) => `${number.format(count)} de ${movements(total)}`,
  },

  success: {
    title: 'Su banco está conectado',
    restored: 'Su conexión está al día',
    lead: (application, count, bank) => `${application} ya puede leer ${accounts(count)} en ${bank}.`,
    shared: 'Cuentas compartidas',
    until: (until) => `El banco lo permite hasta el ${until}. Si lo renueva antes, no habrá interrupción.`,
    missing: (count, bank) =>
      `Ya no encontramos en ${bank}: ${accounts(count)}. Los movimientos anteriores se conservan.`,
  },

  failed: {
    tryAgain: 'Reintentar',
    signInAgain: 'Iniciar sesión de nuevo',
    otherLogin: 'Usar otro acceso',
    otherInstitution: 'Elegir otro banco',
    restart: 'Empezar de nuevo',
    yourInstitution: 'su banco',
    reasons: {
      wrong_credentials: {
        title: 'No se han aceptado sus datos',
        text: (bank) =>
          `${bank} ha rechazado su inicio de sesión. Compruebe que puede entrar en la web de su banco y después inicie sesión de nuevo.`,
      },
      wrong_answer: {
        title: 'No se ha aceptado su respuesta',
        text: (bank) =>
          `Este inicio de sesión en ${bank} ha terminado tras una respuesta incorrecta. Inicie sesión de nuevo.`,
      },
      locked: {
        title: 'Su acceso está bloqueado',
        text: (bank) => `Desbloquéelo en la web o en la aplicación de ${bank} y después reinténtelo.`,
      },
      denied: {
        title: 'No se ha aprobado su inicio de sesión',
        text: (bank) =>
          `No se ha aprobado en la web ni en la aplicación de ${bank}. Inicie sesión de nuevo y apruébelo.`,
      },
      institution_down: {
        title: 'No se puede acceder a su banco',
        text: (bank) => `${bank} no está disponible en este momento. Inténtelo de nuevo en unos minutos.`,
      },
      institution_timeout: {
        title: 'Su banco no responde',
        text: (bank) => `${bank} no ha respondido a tiempo. Inténtelo de nuevo en unos minutos.`,
      },
      institution_incomplete: {
        title: 'No se pueden leer sus cuentas',
        text: (bank) => `${bank} no ha enviado todos sus datos. Inténtelo de nuevo más tarde.`,
      },
      no_accounts: {
        title: 'No hay cuentas que compartir',
        text: (bank) =>
          `Este acceso no tiene en ${bank} cuentas que se puedan compartir. Use otro acceso o elija otro banco.`,
      },
      accounts_mismatch: {
        title: 'Estas cuentas no coinciden',
        text: (bank) =>
          `Este acceso no tiene las cuentas que estaban conectadas en ${bank}. Inicie sesión con el acceso que usó antes.`,
      },
      user_action_required: {
        title: 'Su banco necesita antes algo de usted',
        text: (bank) => `Inicie sesión en la web de ${bank}, siga las instrucciones y después reinténtelo.`,
      },
      session_expired: {
        title: 'Su sesión ha caducado',
        text: () => 'Se ha cerrado para proteger sus datos. No se ha compartido nada.',
      },
      cancelled: {
        title: 'Inicio de sesión cancelado',
        text: () => 'No se ha compartido nada.',
      },
      superseded: {
        title: 'Ha continuado en otra ventana',
        text: () => 'Ha conectado un banco en otra ventana. Aquí no se ha compartido nada.',
      },
      internal: {
        title: 'Algo ha salido mal',
        text: () => 'El problema es nuestro. No se ha compartido nada. Inténtelo de nuevo.',
      },
      origin_not_allowed: {
        title: 'Esta web no puede conectar bancos',
        text: () => 'No está configurada para ello. Vuelva atrás e inténtelo más tarde.',
      },
      wrong_address: {
        title: 'Esta página se ha abierto en una dirección incorrecta',
        text: () => 'Desde aquí no se pueden conectar bancos. Vuelva atrás e inténtelo más tarde.',
      },
      native_not_allowed: {
        title: 'Esta aplicación no puede conectar bancos',
        text: () => 'Aún no está configurada para ello. Vuelva atrás e inténtelo más tarde.',
      },
      unknown_user: {
        title: 'No hemos podido verificar su sesión',
        text: () => 'Vuelva a donde empezó, inicie sesión de nuevo e inténtelo otra vez.',
      },
      unknown_application: {
        title: 'Las conexiones bancarias no están bien configuradas',
        text: () => 'Vuelva atrás e inténtelo más tarde.',
      },
      unknown_connection: {
        title: 'No se puede restaurar esta conexión',
        text: () =>
          'Se ha eliminado o no es suya. Vuelva a donde empezó e inténtelo de nuevo, o conecte su banco otra vez.',
      },
    },
  },
};
