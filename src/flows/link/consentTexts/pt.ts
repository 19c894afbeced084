// The consent in Portuguese. Not yet reviewed by a native speaker.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 dia' : `${count} dias`);

export const pt: ConsentTexts = {
  title: ({ application }) => `Permitir que ${application} leia os seus dados bancários`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'As contas são à sua escolha',
      text: `${company ?? application} recebe os nomes, os quatro últimos dígitos dos números, os saldos e as transações.`,
    },
    {
      title: 'Acesso apenas de leitura',
      text: `${application} não pode movimentar dinheiro nem mudar nada no seu banco.`,
    },
    {
      title: 'Os seus dados de acesso são criptografados',
      text: operator
        ? `${operator} os envia ao seu banco e os guarda apenas para atualizar os seus dados.`
        : 'São enviados ao seu banco e guardados apenas para atualizar os seus dados.',
    },
    {
      title: 'Pode parar quando quiser',
      text: `O acesso dura até pedir a ${company ?? application} para desconectar o banco. Os dados guardados continuam legíveis por ${days(retentionDays)} e depois são apagados.`,
    },
  ],
  agreement: 'Ao selecionar “Aceitar e continuar”, aceita compartilhar estes dados.',
  privacy: (company) => `Política de privacidade de ${company}`,
  terms: (company) => `Termos de ${company}`,
};
