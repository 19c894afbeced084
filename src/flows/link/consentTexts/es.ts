// The consent in Spanish.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 día' : `${count} días`);

export const es: ConsentTexts = {
  title: ({ application }) => `Permita que ${application} lea sus datos bancarios`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Usted elige las cuentas',
      text: `${company ?? application} recibe sus nombres, los cuatro últimos dígitos de sus números, sus saldos y sus movimientos.`,
    },
    {
      title: 'Acceso de solo lectura',
      text: `${application} no puede mover dinero ni cambiar nada en su banco.`,
    },
    {
      title: 'Sus datos de acceso están cifrados',
      text: operator
        ? `${operator} los envía a su banco y los guarda solo para actualizar sus datos.`
        : 'Se envían a su banco y se guardan solo para actualizar sus datos.',
    },
    {
      title: 'Puede dejarlo cuando quiera',
      text: `El acceso dura hasta que pida a ${company ?? application} que desconecte el banco. Los datos guardados se pueden leer ${days(retentionDays)} más y después se borran.`,
    },
  ],
  agreement: 'Al elegir «Aceptar y continuar», acepta compartir estos datos.',
  privacy: (company) => `Política de privacidad de ${company}`,
  terms: (company) => `Condiciones de ${company}`,
};
