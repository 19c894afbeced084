// Español. Same shape as en.ts.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Le queda un intento.' : `Le quedan ${count} intentos.`;
const accounts = (count: number) => (count === 1 ? 'una cuenta' : `${count} cuentas`);
const number = new Intl.NumberFormat('es');

export const es: Texts = {
  title: 'Conecte su banco',
  close: 'Cerrar',
  back: 'Atrás',
  continue: 'Continuar',
  done: 'Listo',
  loading: 'Un momento…',
  offline: 'Sin conexión con el servicio. Intentándolo de nuevo…',
  sandbox: 'Sandbox: no se consulta ningún banco real',
  noHost: 'Esta página pertenece a una aplicación. Vuelva a la aplicación y conecte su banco desde allí.',

  consent: {
    title: (application) => `${application} quiere leer sus datos bancarios`,
    points: (application) => [
      {
        title: 'Usted elige qué se comparte',
        text: 'Las cuentas que elija: nombre, últimas cuatro cifras, saldos y movimientos.',
      },
      {
        title: 'Solo se puede leer',
        text: `${application} no puede mover dinero ni cambiar nada en su banco.`,
      },
      {
        title: 'Su contraseña sigue siendo privada',
        text: `${application} nunca la ve. Se guarda cifrada, solo para mantener sus datos al día.`,
      },
      {
        title: 'Puede dejarlo cuando quiera',
        text: `Pida a ${application} que desconecte su banco. Lo guardado se borra a los 30 días.`,
      },
    ],
    agree: 'Al continuar, acepta compartir estos datos.',
  },

  institution: {
    title: 'Elija su banco',
    search: 'Buscar bancos',
    found: (count) => (count === 1 ? 'Un banco encontrado' : `${count} bancos encontrados`),
    notFound: (search) => `Ningún banco encontrado para «${search}»`,
    notFoundHint: 'Revise la ortografía o pruebe con una parte más corta del nombre.',
    clear: 'Borrar',
    notListed: 'Mi banco no aparece',
    notListedTitle: 'Su banco no aparece',
    notListedHint: (application) =>
      `${application} todavía no puede conectar su banco aquí. Diga a ${application} qué banco necesita, o elija otro.`,
    backToList: 'Volver a la lista',
    noInstitutions: 'Todavía no hay ningún banco',
    noInstitutionsHint: (application) =>
      `${application} aún no ha configurado ningún banco. Inténtelo de nuevo más tarde.`,
  },

  credentials: {
    title: (bank) => `Inicie sesión en ${bank}`,
    reconnect: (application) =>
      `${application} ha perdido el acceso. Inicie sesión otra vez para restablecerlo; lo demás no cambia.`,
    lead: 'Con los mismos datos que en la web de su banco.',
    ownPage: (bank) => `Se identifica en la página de ${bank}. El paso siguiente lleva allí.`,
    show: 'Mostrar',
    hide: 'Ocultar',
    missing: (label) => `Por favor, rellene: ${label}`,
    help: (bank) => `Obtener ayuda de ${bank}`,
    private: (application) => `${application} nunca ve lo que escribe aquí.`,
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
    choose_method: () => '¿Adónde enviamos su código?',
    choose_tan_method: () => '¿Qué método TAN desea utilizar?',
    choose_tan_medium: () => '¿Qué dispositivo desea utilizar?',
    method_sms: (value) => (value ? `SMS al ${value}` : 'SMS'),
    method_call: (value) => (value ? `Llamada al ${value}` : 'Llamada'),
    method_email: (value) => (value ? `Correo a ${value}` : 'Correo electrónico'),
    method_app: (value) => (value ? `Aplicación ${value}` : 'Aplicación de su banco'),
    approve_app: (value) => `Apruebe este acceso en la aplicación ${value ?? 'de su banco'}`,
    picture: () => 'Caracteres de la imagen',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} no ha aceptado estos datos. Revíselos e inténtelo de nuevo.`,
    wrong_answer: (bank) => `${bank} no ha aceptado esta respuesta. Inténtelo de nuevo.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Ha habido demasiados intentos de acceso, por lo que no se ha enviado nada a su banco. Inténtelo de nuevo dentro de ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
  },

  challenge: {
    code: 'Introduzca su código de seguridad',
    question: 'Responda a su pregunta de seguridad',
    choice: 'Confirme que es usted',
    approval: 'Apruébelo en la app de su banco',
    image: 'Introduzca lo que ve',
    imageAlt: 'Imagen con los caracteres que hay que introducir',
    lead: (bank) => `${bank} quiere estar seguro de que es usted.`,
    waiting: 'Esperando su aprobación…',
    stillWaiting:
      'Todavía no ha llegado ninguna aprobación. Abra la app de su banco, apruébelo allí y continúe aquí.',
    chooseOne: 'Por favor, elija una opción.',
    resend: 'Enviar de nuevo',
    resendIn: (seconds) => `Enviar de nuevo en ${seconds} s`,
    resent: 'Enviado de nuevo.',
    otherMethod: 'Probar de otra forma',
    digits: (min, max) => (min === max ? `Escriba ${min} dígitos.` : `Escriba de ${min} a ${max} dígitos.`),
    characters: (min, max) =>
      min === max ? `Escriba ${min} caracteres.` : `Escriba de ${min} a ${max} caracteres.`,
  },

  redirect: {
    title: (bank) => `Continúe en ${bank}`,
    lead: (bank) =>
      `${bank} solo permite identificarse en su propia página. Se abre en una ventana nueva y después vuelve aquí.`,
    open: (bank) => `Abrir ${bank}`,
    waiting: (bank) => `Termine de identificarse en ${bank}`,
    waitingLead: 'Deje abierta esta ventana. Sigue en cuanto se haya identificado allí.',
    openAgain: 'Abrir de nuevo la página del banco',
    closed: 'La ventana de su banco parece cerrada. Ábrala de nuevo o escriba el código que ha mostrado.',
    blocked: 'Si no se ha abierto ninguna ventana, permítala en su navegador y ábrala de nuevo.',
    code: 'Código de la última página',
    codeHint: 'Solo si la ventana del banco termina con un código.',
    missing: 'Escriba el código o termine de identificarse en su banco.',
    wrongCode: 'Este no es el código de su identificación. Revíselo e inténtelo de nuevo.',
  },

  returned: {
    codeTitle: 'Un paso más: escriba este código',
    codeLead: (application, bank) => `Escríbalo en la ventana en la que conecta ${bank} con ${application}.`,
    nativeLead: (application, bank) =>
      `Continúe en ${application}, donde conecta ${bank}. Si allí se pide un código, escriba este.`,
    backTo: (application) => `Volver a ${application}`,
    warning: (application) =>
      `¿Alguien le ha enviado aquí? Cierre esta página: con el código, su banco quedaría conectado a una cuenta ajena de ${application}.`,
    done: 'Ha vuelto',
    close: 'Puede cerrar esta ventana.',
    ended: 'Esta página ya no es válida',
    endedLead: 'Vuelva a la ventana en la que conecta su banco. Si ha terminado, empiece allí de nuevo.',
  },

  accounts: {
    title: 'Elija las cuentas',
    lead: (application) => `${application} solo verá las cuentas que usted elija.`,
    chooseOne: 'Por favor, elija al menos una cuenta.',
    all: 'Elegir todas',
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
    title: 'Leyendo sus movimientos',
    lead: 'Puede tardar un minuto. Por favor, no cierre esta ventana.',
    delayed: 'Está tardando más de lo habitual. Seguirá por sí solo en cuanto el servicio esté listo.',
    waiting: (bank) => `Consultando a ${bank}…`,
    done: (count) => `${number.format(count)} movimientos hasta ahora`,
    of: (count, total) => `${number.format(count)} de ${number.format(total)} movimientos`,
  },

  success: {
    title: 'Su banco está conectado',
    restored: 'Su conexión se ha restablecido',
    lead: (application, count, bank) => `${application} ya puede leer ${accounts(count)} en ${bank}.`,
    shared: 'Cuentas compartidas',
  },

  failed: {
    tryAgain: 'Intentar de nuevo',
    otherInstitution: 'Elegir otro banco',
    restart: 'Empezar de nuevo',
    yourInstitution: 'su banco',
    reasons: {
      wrong_credentials: {
        title: 'Los datos no se han aceptado',
        text: () =>
          'El banco los ha rechazado demasiadas veces. Compruébelos en la web de su banco e inténtelo de nuevo.',
      },
      wrong_answer: {
        title: 'La respuesta no se ha aceptado',
        text: () => 'Esta sesión se ha cerrado tras demasiadas respuestas erróneas. Inicie sesión de nuevo.',
      },
      locked: {
        title: 'Su acceso al banco está bloqueado',
        text: (bank) => `Desbloquéelo en la web o en la app de ${bank} e inténtelo aquí de nuevo.`,
      },
      denied: {
        title: 'La solicitud se ha rechazado',
        text: (bank) =>
          `Se ha rechazado en la app de ${bank}. Si fue un error, inicie sesión de nuevo y apruébela.`,
      },
      institution_down: {
        title: 'No se puede contactar con su banco',
        text: (bank) => `En este momento ${bank} no responde. Inténtelo de nuevo en unos minutos.`,
      },
      institution_timeout: {
        title: 'Su banco tarda demasiado',
        text: (bank) => `No hubo respuesta a tiempo de ${bank}. Inténtelo de nuevo en unos minutos.`,
      },
      no_accounts: {
        title: 'No hay cuentas que compartir',
        text: (bank) =>
          `Este acceso a ${bank} no tiene cuentas que se puedan compartir. Pruebe con otro acceso u otro banco.`,
      },
      accounts_mismatch: {
        title: 'Estas son otras cuentas',
        text: (bank) =>
          `Este acceso a ${bank} no tiene las cuentas que estaban conectadas. Inicie sesión con el acceso que usó entonces.`,
      },
      user_action_required: {
        title: 'Su banco necesita antes algo de usted',
        text: (bank) =>
          `Inicie sesión en la web de ${bank}, siga sus instrucciones e inténtelo aquí de nuevo.`,
      },
      session_expired: {
        title: 'Ha pasado demasiado tiempo',
        text: () =>
          'Por su seguridad, la sesión ha terminado. No se ha compartido nada. Puede empezar de nuevo ahora.',
      },
      cancelled: {
        title: 'Esta sesión se cerró',
        text: () => 'No se ha compartido nada. Puede empezar de nuevo ahora.',
      },
      superseded: {
        title: 'Continúa en otro lugar',
        text: () =>
          'La misma conexión se abrió por segunda vez, y esta ha terminado. Aquí no se ha compartido nada.',
      },
      internal: {
        title: 'Algo ha salido mal',
        text: () => 'El error es nuestro. No se ha compartido nada. Inténtelo de nuevo.',
      },
      origin_not_allowed: {
        title: 'Esta web no puede conectar bancos',
        text: () =>
          'La aplicación no lo permite aquí. Si usted gestiona esta web, añada su origen a la aplicación.',
      },
      native_not_allowed: {
        title: 'Esta app no puede conectar bancos',
        text: () =>
          'Si usted desarrolla esta app, permita el uso nativo en la aplicación y registre su dirección de retorno.',
      },
      unknown_user: {
        title: 'No sabemos quién es usted',
        text: () => 'La aplicación no ha confirmado su sesión. Vuelva a ella e inicie sesión de nuevo.',
      },
      unknown_application: {
        title: 'Esta aplicación no se conoce',
        text: () => 'Si usted gestiona esta web, revise el identificador de la aplicación.',
      },
      unknown_connection: {
        title: 'Esta conexión no se puede restablecer',
        text: () =>
          'Se ha eliminado, o la aplicación no ha confirmado que sea suya. Por favor, vuelva a ella e inténtelo de nuevo, o conecte su banco otra vez.',
      },
    },
  },
};
