// The consent in Arabic. Not yet reviewed by a native speaker.
import type { ConsentTexts } from './en.ts';

/** Isolates a name's text direction from the sentence's (Unicode Annex 9, "isolates"). */
const isolate = (text: string) => `\u2068${text}\u2069`;

const rules = new Intl.PluralRules('ar');
const days = (count: number) => {
  const form = rules.select(count);
  if (form === 'one') return 'يوم واحد';
  if (form === 'two') return 'يومين';
  return `${count} ${form === 'few' ? 'أيام' : 'يومًا'}`;
};

export const ar: ConsentTexts = {
  title: ({ application }) => `السماح لـ ${isolate(application)} بقراءة بياناتك البنكية`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'أنت تختار الحسابات',
      text: `يحصل ${isolate(company ?? application)} على أسمائها وآخر أربعة أرقام من رقم كل حساب وأرصدتها ومعاملاتها.`,
    },
    {
      title: 'وصول للقراءة فقط',
      text: `لا يمكن لـ ${isolate(application)} تحويل الأموال أو تغيير أي شيء لدى بنكك.`,
    },
    {
      title: 'بيانات دخولك مشفّرة',
      text: operator
        ? `يرسلها ${isolate(operator)} إلى بنكك ولا يحفظها إلا لتحديث بياناتك.`
        : 'تُرسل إلى بنكك ولا تُحفظ إلا لتحديث بياناتك.',
    },
    {
      title: 'يمكنك التوقف في أي وقت',
      text: `يستمر الوصول إلى أن تطلب من ${isolate(company ?? application)} فصل البنك. تبقى البيانات المحفوظة قابلة للقراءة لمدة ${days(retentionDays)} ثم تُحذف.`,
    },
  ],
  agreement: 'باختيار «موافقة ومتابعة» فإنك توافق على مشاركة هذه البيانات.',
  privacy: (company) => `سياسة خصوصية ${isolate(company)}`,
  terms: (company) => `شروط ${isolate(company)}`,
};
