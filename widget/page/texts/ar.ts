// العربية. Same shape as en.ts. Not yet reviewed by a native speaker.
import type { Texts } from './en.ts';

/** Keeps the direction of a name, or of digits with signs, apart from that of the sentence (Unicode, annex 9, "isolates"). */
const isolate = (text: string | number) => `\u2068${text}\u2069`;

const rules = new Intl.PluralRules('ar');
type Forms = { one: string; two: string; few: string; many: string; other: string };
/** A number with its noun: one and two are in the noun itself. */
const counted = (count: number, { one, two, few, many, other }: Forms) => {
  const form = rules.select(count);
  if (form === 'one') return one;
  if (form === 'two') return two;
  return `${count} ${form === 'few' ? few : form === 'many' ? many : other}`;
};

const attemptsLeft = (count: number) =>
  `تبقّت ${counted(count, { one: 'محاولة واحدة', two: 'محاولتان', few: 'محاولات', many: 'محاولة', other: 'محاولة' })}.`;
const accounts = (count: number) =>
  counted(count, { one: 'حساب واحد', two: 'حسابين', few: 'حسابات', many: 'حسابًا', other: 'حساب' });
const number = new Intl.NumberFormat('ar-u-nu-latn');

export const ar: Texts = {
  title: 'ربط بنكك',
  close: 'إغلاق',
  back: 'رجوع',
  done: 'تم',
  loading: 'لحظة…',
  offline: 'لا يوجد اتصال. جارٍ إعادة المحاولة…',
  sandbox: 'بيئة تجريبية: غير متصلة ببنك حقيقي',
  noHost: 'هذه الصفحة جزء من تطبيق آخر. يُرجى العودة إليه وربط البنك من هناك.',

  leave: {
    title: 'المغادرة قبل الانتهاء؟',
    text: (application) => `لم يكتمل بعد ربط بنكك بـ ${isolate(application)}.`,
    importing: 'ما زالت معاملاتك قيد القراءة. إذا غادرت الآن فسيلزم البدء من جديد.',
    stay: 'متابعة',
    leave: 'مغادرة',
  },

  consent: {
    agree: 'موافقة ومتابعة',
  },

  institution: {
    title: 'اختيار البنك',
    search: 'البحث عن بنك',
    found: (count) =>
      `نتائج البحث: ${counted(count, { one: 'بنك واحد', two: 'بنكان', few: 'بنوك', many: 'بنكًا', other: 'بنك' })}`,
    notFound: (search) => `لا نتائج لـ «${isolate(search)}»`,
    notFoundHint: 'يُرجى التحقق من الكتابة أو تجربة جزء من الاسم.',
    clear: 'مسح',
    business: 'للشركات',
    beta: 'تجريبي',
    notListed: 'بنكي غير موجود في القائمة',
    notListedTitle: 'بنكك غير متاح بعد',
    notListedHint: (application) => `يمكن إبلاغ ${isolate(application)} بالبنك المطلوب، أو اختيار بنك آخر.`,
    backToList: 'العودة إلى القائمة',
    noInstitutions: 'لا توجد بنوك متاحة بعد',
    noInstitutionsHint: (application) => `لم يُضف ${isolate(application)} أي بنك بعد. يُرجى المحاولة لاحقًا.`,
  },

  credentials: {
    optional: 'اختياري',
    title: (bank) => `تسجيل الدخول إلى ${isolate(bank)}`,
    reconnect: (bank) =>
      `اتصالك بـ ${isolate(bank)} يحتاج إلى انتباه. يُرجى تسجيل الدخول مرة أخرى لتبقى بياناتك محدّثة.`,
    lead: 'استخدم البيانات نفسها المستخدمة في موقع بنكك.',
    ownPage: (bank) => `سيكون تسجيل الدخول في صفحة ${isolate(bank)}.`,
    signIn: 'تسجيل الدخول',
    toOwnPage: (bank) => `المتابعة إلى ${isolate(bank)}`,
    show: 'إظهار',
    hide: 'إخفاء',
    missing: (label) => `يُرجى إدخال ${isolate(label)}`,
    help: (bank) => `المساعدة من ${isolate(bank)}`,
    private: (bank, operator) =>
      operator
        ? `بيانات مشفّرة، يرسلها ${isolate(operator)} إلى ${isolate(bank)}، ولا تُحفظ إلا لتحديث بياناتك.`
        : `بيانات مشفّرة، تُرسل إلى ${isolate(bank)}، ولا تُحفظ إلا لتحديث بياناتك.`,
  },

  labels: {
    username: () => 'اسم المستخدم',
    email: () => 'البريد الإلكتروني',
    customer_number: () => 'رقم العميل',
    password: () => 'كلمة المرور',
    pin: () => 'الرقم السري',
    code_sms: (value) =>
      value ? `الرمز المرسل في رسالة نصية إلى ${isolate(value)}` : 'الرمز المرسل في رسالة نصية',
    code_call: (value) => (value ? `الرمز من المكالمة إلى ${isolate(value)}` : 'الرمز من المكالمة'),
    code_email: (value) =>
      value ? `الرمز المرسل بالبريد إلى ${isolate(value)}` : 'الرمز المرسل بالبريد الإلكتروني',
    code_app: (value) => `الرمز من ${value ? isolate(value) : 'تطبيق المصادقة'}`,
    code_device: (value) => `الرمز من قارئ البطاقة${value ? ` لـ ${isolate(value)}` : ''}`,
    choose_method: () => 'كيف تريد استلام الرمز؟',
    choose_tan_method: () => 'ما طريقة TAN التي تريد استخدامها؟',
    choose_tan_medium: () => 'ما الجهاز الذي تريد استخدامه؟',
    method_sms: (value) => (value ? `رسالة نصية إلى ${isolate(value)}` : 'رسالة نصية'),
    method_call: (value) => (value ? `مكالمة إلى ${isolate(value)}` : 'مكالمة هاتفية'),
    method_email: (value) => (value ? `بريد إلى ${isolate(value)}` : 'البريد الإلكتروني'),
    method_app: (value) => (value ? `تطبيق ${isolate(value)}` : 'تطبيق بنكك'),
    approve_app: (value) =>
      value
        ? `يُرجى فتح تطبيق ${isolate(value)} والموافقة على تسجيل الدخول.`
        : 'يُرجى فتح تطبيق بنكك والموافقة على تسجيل الدخول.',
    picture: () => 'الأحرف الظاهرة في الصورة',
    choose_account_use: () => 'ما الغرض من استخدام الحساب؟',
    use_personal: () => 'شخصي',
    use_business: () => 'تجاري',
    open_bank_page: () => 'تابع في صفحة بنكك',
  },

  errors: {
    wrong_credentials: (bank) =>
      `لم يقبل ${isolate(bank)} هذه البيانات. يُرجى التحقق منها والمحاولة مرة أخرى.`,
    wrong_answer: (bank) => `لم يقبل ${isolate(bank)} هذه الإجابة. يُرجى المحاولة مرة أخرى.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `محاولات كثيرة جدًا. لم يُرسل شيء إلى بنكك. يُرجى المحاولة بعد ${counted(minutes, { one: 'دقيقة', two: 'دقيقتين', few: 'دقائق', many: 'دقيقة', other: 'دقيقة' })}.`,
  },

  challenge: {
    code: 'إدخال رمز الأمان',
    question: 'الإجابة عن سؤال الأمان',
    choice: 'اختيار طريقة التحقق',
    approval: 'الموافقة في تطبيق بنكك',
    image: 'إدخال الأحرف الظاهرة',
    imageCode: 'امسح هذه الصورة للحصول على الرمز',
    imageAlt: 'صورة من بنكك',
    lead: (bank) => `يحتاج ${isolate(bank)} إلى التحقق من هويتك.`,
    leadReading: (bank) => `يطلب ${isolate(bank)} تأكيدًا آخر قبل مشاركة معاملاتك.`,
    verify: 'تحقق',
    next: 'متابعة',
    checkAgain: 'التحقق مرة أخرى',
    waiting: 'في انتظار موافقتك…',
    stillWaiting: 'لم تصلنا موافقتك بعد. يُرجى فتح تطبيق بنكك والموافقة على تسجيل الدخول، ثم التحقق مرة أخرى.',
    chooseOne: 'يُرجى اختيار أحد الخيارات للمتابعة.',
    missingCode: 'يُرجى إدخال الرمز.',
    missingAnswer: 'يُرجى إدخال الإجابة.',
    resend: 'إعادة الإرسال',
    resendIn: (seconds) => `إعادة الإرسال بعد ${seconds} ث`,
    resent: 'أُعيد الإرسال.',
    otherMethod: 'تجربة طريقة أخرى',
    digits: (min, max) =>
      min === max ? `يُرجى إدخال كل الأرقام (${min}).` : `يُرجى إدخال ما بين ${min} و${max} من الأرقام.`,
    characters: (min, max) =>
      min === max ? `يُرجى إدخال كل الأحرف (${min}).` : `يُرجى إدخال ما بين ${min} و${max} من الأحرف.`,
  },

  redirect: {
    title: (bank) => `المتابعة لدى ${isolate(bank)}`,
    lead: (bank) => `يُفتح ${isolate(bank)} في نافذة جديدة. بعد تسجيل الدخول هناك ستعود إلى هنا تلقائيًا.`,
    open: (bank) => `فتح ${isolate(bank)}`,
    waiting: (bank) => `إكمال تسجيل الدخول لدى ${isolate(bank)}`,
    waitingLead: 'يُرجى إبقاء هذه النافذة مفتوحة. ستستمر العملية بعد تسجيل الدخول.',
    openAgain: 'فتح صفحة البنك مرة أخرى',
    closed: 'أُغلقت النافذة الأخرى. يُرجى فتحها مرة أخرى أو إدخال الرمز الذي ظهر فيها.',
    blocked: 'إذا لم تُفتح نافذة، فاسمح بالنوافذ المنبثقة لهذه الصفحة وافتحها مرة أخرى.',
    code: 'الرمز من النافذة الأخرى',
    codeHint: 'فقط إذا ظهر لك رمز بعد تسجيل الدخول.',
    missing: 'يُرجى إدخال الرمز أو إكمال تسجيل الدخول لدى بنكك.',
    wrongCode: 'هذا الرمز لا يطابق تسجيل دخولك. يُرجى التحقق منه والمحاولة مرة أخرى.',
  },

  returned: {
    codeTitle: 'خطوة أخيرة: إدخال هذا الرمز',
    codeLead: (application, bank) =>
      `أدخله في النافذة التي تربط فيها ${isolate(bank)} بـ ${isolate(application)}.`,
    nativeLead: (application, bank) =>
      `يُرجى العودة إلى ${isolate(application)} لإكمال ربط ${isolate(bank)}. إذا طُلب رمز فأدخل هذا الرمز.`,
    backTo: (application) => `العودة إلى ${isolate(application)}`,
    warning: (application) =>
      `هل أرسلك شخص آخر إلى هنا؟ أغلق هذه الصفحة: بهذا الرمز يمكنه ربط بنكك بحسابه في ${isolate(application)}.`,
    done: 'اكتمل كل شيء هنا',
    close: 'يمكنك إغلاق هذه النافذة.',
    ended: 'انتهت صلاحية هذه الصفحة',
    endedLead: 'يُرجى العودة إلى النافذة التي تربط فيها بنكك. إذا أُغلقت فابدأ من جديد من التطبيق أو الموقع.',
  },

  accounts: {
    title: 'اختيار الحسابات للمشاركة',
    lead: (application) => `لن يرى ${isolate(application)} إلا الحسابات التي تختارها.`,
    removed: (days) =>
      `الحسابات التي تلغي تحديدها لن تُحدَّث بعد الآن. تبقى قابلة للقراءة لمدة ${days} ثم تُحذف.`,
    historyUntil: (time) => `اختر قبل ${time}. بعد ذلك لن يقدّم البنك سوى المعاملات الحديثة.`,
    chooseOne: 'يُرجى اختيار حساب واحد على الأقل.',
    all: 'تحديد الكل',
    share: (count) => (count === 0 ? 'مشاركة الحسابات' : `مشاركة ${accounts(count)}`),
    connected: 'مربوطة بالفعل',
    connectedBefore: (names, application) =>
      `مربوطة من قبل: ${isolate(names)}. إذا شاركتها مرة أخرى فستصل كل معاملة إلى ${isolate(application)} مرتين.`,
    renew: 'تجديد الاتصال',
    types: {
      depository: 'حساب بنكي',
      credit: 'حساب ائتماني',
      loan: 'قرض',
      investment: 'استثمار',
      other: 'حساب',
    },
    subtypes: {
      checking: 'حساب جارٍ',
      savings: 'حساب توفير',
      credit_card: 'بطاقة ائتمان',
      line_of_credit: 'حد ائتماني',
      mortgage: 'رهن عقاري',
      brokerage: 'حساب وساطة',
      pension: 'معاش تقاعدي',
    },
    ending: (digits) => `ينتهي بـ ${isolate(digits)}`,
  },

  importing: {
    title: 'جارٍ جلب معاملاتك',
    lead: 'قد يستغرق ذلك دقيقة. يُرجى إبقاء هذه النافذة مفتوحة.',
    delayed: 'يستغرق ذلك وقتًا أطول من المعتاد. ستستمر العملية تلقائيًا.',
    waiting: (bank) => `جارٍ الاتصال بـ ${isolate(bank)}…`,
    done: (count) => `عدد المعاملات حتى الآن: ${number.format(count)}`,
    of: (count, total) => `المعاملات: ${number.format(count)} من ${number.format(total)}`,
  },

  success: {
    title: 'تم ربط بنكك',
    restored: 'اتصالك محدّث الآن',
    lead: (application, count, bank) =>
      `يمكن لـ ${isolate(application)} الآن قراءة ${accounts(count)} لدى ${isolate(bank)}.`,
    shared: 'الحسابات التي تمت مشاركتها',
    until: (until) => `يسمح البنك بذلك حتى ${until}. جدّد الاتصال قبل هذا التاريخ لتجنّب أي انقطاع.`,
    missing: (count, bank) =>
      `لم نعد نجد لدى ${isolate(bank)}: ${accounts(count)}. تبقى المعاملات السابقة محفوظة.`,
  },

  failed: {
    tryAgain: 'إعادة المحاولة',
    signInAgain: 'تسجيل الدخول مجددًا',
    otherLogin: 'استخدام حساب دخول آخر',
    otherInstitution: 'اختيار بنك آخر',
    restart: 'البدء من جديد',
    yourInstitution: 'بنكك',
    reasons: {
      wrong_credentials: {
        title: 'لم تُقبل بياناتك',
        text: (bank) =>
          `رفض ${isolate(bank)} تسجيل دخولك. يُرجى التأكد من إمكانية الدخول في موقع بنكك، ثم تسجيل الدخول مجددًا.`,
      },
      wrong_answer: {
        title: 'لم تُقبل إجابتك',
        text: (bank) => `انتهى تسجيل الدخول إلى ${isolate(bank)} بعد إجابة خاطئة. يُرجى تسجيل الدخول مجددًا.`,
      },
      locked: {
        title: 'دخولك مقفل',
        text: (bank) => `يُرجى إلغاء القفل في موقع ${isolate(bank)} أو تطبيقه، ثم المحاولة مرة أخرى.`,
      },
      denied: {
        title: 'لم تتم الموافقة على تسجيل دخولك',
        text: (bank) =>
          `لم تتم الموافقة عليه في موقع ${isolate(bank)} ولا في تطبيقه. يُرجى تسجيل الدخول مجددًا والموافقة عليه.`,
      },
      institution_down: {
        title: 'يتعذر الوصول إلى بنكك',
        text: (bank) => `${isolate(bank)} غير متاح الآن. يُرجى المحاولة بعد بضع دقائق.`,
      },
      institution_timeout: {
        title: 'بنكك لا يستجيب',
        text: (bank) => `لم يستجب ${isolate(bank)} في الوقت المحدد. يُرجى المحاولة بعد بضع دقائق.`,
      },
      institution_incomplete: {
        title: 'تتعذر قراءة حساباتك',
        text: (bank) => `لم يرسل ${isolate(bank)} جميع بياناتك. يُرجى المحاولة لاحقًا.`,
      },
      no_accounts: {
        title: 'لا توجد حسابات للمشاركة',
        text: (bank) =>
          `لا توجد لهذا الدخول حسابات يمكن مشاركتها لدى ${isolate(bank)}. استخدم حساب دخول آخر أو اختر بنكًا آخر.`,
      },
      accounts_mismatch: {
        title: 'هذه الحسابات غير متطابقة',
        text: (bank) =>
          `لا توجد لهذا الدخول الحسابات التي كانت مربوطة لدى ${isolate(bank)}. استخدم الدخول السابق.`,
      },
      user_action_required: {
        title: 'يحتاج بنكك إلى إجراء منك أولًا',
        text: (bank) => `سجّل الدخول في موقع ${isolate(bank)} واتبع التعليمات هناك، ثم حاول مرة أخرى.`,
      },
      session_expired: {
        title: 'انتهت صلاحية جلستك',
        text: () => 'انتهت لحماية بياناتك. لم يُشارك أي شيء.',
      },
      cancelled: {
        title: 'أُلغي تسجيل الدخول',
        text: () => 'لم يُشارك أي شيء.',
      },
      superseded: {
        title: 'استمرت العملية في نافذة أخرى',
        text: () => 'تم ربط بنك في نافذة أخرى. لم يُشارك أي شيء هنا.',
      },
      internal: {
        title: 'حدث خطأ ما',
        text: () => 'المشكلة من جانبنا. لم يُشارك أي شيء. يُرجى المحاولة مرة أخرى.',
      },
      origin_not_allowed: {
        title: 'لا يمكن لهذا الموقع ربط البنوك',
        text: () => 'لم يُعدّ لذلك. يُرجى العودة والمحاولة لاحقًا.',
      },
      wrong_address: {
        title: 'فُتحت هذه الصفحة على عنوان غير صحيح',
        text: () => 'لا يمكن ربط البنوك من هنا. يُرجى العودة والمحاولة لاحقًا.',
      },
      native_not_allowed: {
        title: 'لا يمكن لهذا التطبيق ربط البنوك',
        text: () => 'لم يُعدّ لذلك بعد. يُرجى العودة والمحاولة لاحقًا.',
      },
      unknown_user: {
        title: 'تعذر التحقق من جلستك',
        text: () => 'يُرجى العودة إلى حيث بدأت وتسجيل الدخول من جديد، ثم المحاولة مرة أخرى.',
      },
      unknown_application: {
        title: 'ربط البنوك غير مُعدّ بشكل صحيح',
        text: () => 'يُرجى العودة والمحاولة لاحقًا.',
      },
      unknown_connection: {
        title: 'تتعذر استعادة هذا الاتصال',
        text: () =>
          'أُزيل الاتصال أو أنه ليس لك. يُرجى العودة إلى حيث بدأت والمحاولة مرة أخرى، أو ربط بنكك من جديد.',
      },
    },
  },
};
