// Português, as in Brazil. Same shape as en.ts. Not yet reviewed by a native speaker.
import type { Texts } from './en.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'Resta uma tentativa.' : `Restam ${count} tentativas.`;
const accounts = (count: number) => (count === 1 ? 'uma conta' : `${count} contas`);
const number = new Intl.NumberFormat('pt');
const transactions = (count: number) => (count === 1 ? '1 transação' : `${number.format(count)} transações`);

const withArticle: Record<string, string> = {
  'Nome de usuário': 'o seu nome de usuário',
  'E-mail': 'o seu e-mail',
  'Número de cliente': 'o seu número de cliente',
  Senha: 'a sua senha',
  PIN: 'o seu PIN',
};

export const pt: Texts = {
  title: 'Conectar o seu banco',
  close: 'Fechar',
  back: 'Voltar',
  done: 'Concluir',
  loading: 'Um momento…',
  offline: 'Sem conexão. Tentando novamente…',
  sandbox: 'Sandbox: sem conexão com um banco real',
  noHost: 'Esta página faz parte de outro aplicativo. Volte a ele e conecte o seu banco por lá.',

  leave: {
    title: 'Sair sem concluir?',
    text: (application) => `A conexão do seu banco a ${application} ainda não foi concluída.`,
    importing: 'As suas transações ainda estão sendo lidas. Se sair agora, terá que começar de novo.',
    stay: 'Continuar',
    leave: 'Sair',
  },

  consent: {
    agree: 'Aceitar e continuar',
  },

  institution: {
    title: 'Escolha o seu banco',
    search: 'Buscar bancos',
    found: (count) => (count === 1 ? '1 banco encontrado' : `${count} bancos encontrados`),
    notFound: (search) => `Nenhum resultado para “${search}”`,
    notFoundHint: 'Verifique a ortografia ou digite só uma parte do nome.',
    clear: 'Limpar',
    business: 'empresas',
    beta: 'beta',
    notListed: 'O meu banco não está na lista',
    notListedTitle: 'O seu banco ainda não está disponível',
    notListedHint: (application) => `Diga a ${application} de que banco precisa, ou escolha outro.`,
    backToList: 'Voltar à lista',
    noInstitutions: 'Ainda não há bancos disponíveis',
    noInstitutionsHint: (application) => `${application} ainda não adicionou nenhum banco. Tente mais tarde.`,
  },

  credentials: {
    optional: 'opcional',
    title: (bank) => `Entrar em ${bank}`,
    reconnect: (bank) =>
      `A sua conexão com ${bank} precisa de atenção. Entre novamente para manter os seus dados atualizados.`,
    lead: 'Use os mesmos dados do site do seu banco.',
    ownPage: (bank) => `O acesso é feito na página de ${bank}.`,
    signIn: 'Entrar',
    toOwnPage: (bank) => `Continuar para ${bank}`,
    show: 'Mostrar',
    hide: 'Ocultar',
    missing: (label) => `Digite ${withArticle[label] ?? `“${label}”`}`,
    help: (bank) => `Obter ajuda de ${bank}`,
    private: (bank, operator) =>
      operator
        ? `Criptografado, enviado a ${bank} por ${operator} e guardado apenas para atualizar os seus dados.`
        : `Criptografado, enviado a ${bank} e guardado apenas para atualizar os seus dados.`,
  },

  labels: {
    username: () => 'Nome de usuário',
    email: () => 'E-mail',
    customer_number: () => 'Número de cliente',
    password: () => 'Senha',
    pin: () => 'PIN',
    code_sms: (value) => (value ? `Código enviado por SMS para ${value}` : 'Código enviado por SMS'),
    code_call: (value) => (value ? `Código da ligação para ${value}` : 'Código da ligação'),
    code_email: (value) => (value ? `Código enviado por e-mail para ${value}` : 'Código enviado por e-mail'),
    code_app: (value) => (value ? `Código de ${value}` : 'Código do seu aplicativo de autenticação'),
    code_device: (value) => `Código do seu leitor de cartões${value ? ` para ${value}` : ''}`,
    choose_method: () => 'Como quer receber o seu código?',
    choose_tan_method: () => 'Que método TAN quer usar?',
    choose_tan_medium: () => 'Que dispositivo quer usar?',
    method_sms: (value) => (value ? `SMS para ${value}` : 'SMS'),
    method_call: (value) => (value ? `Ligação para ${value}` : 'Ligação'),
    method_email: (value) => (value ? `E-mail para ${value}` : 'E-mail'),
    method_app: (value) => (value ? `Aplicativo ${value}` : 'Aplicativo do seu banco'),
    approve_app: (value) =>
      value
        ? `Abra o aplicativo ${value} e aprove este acesso.`
        : 'Abra o aplicativo do seu banco e aprove este acesso.',
    picture: () => 'Caracteres na imagem',
    choose_account_use: () => 'Para que você usa a conta?',
    use_personal: () => 'Pessoal',
    use_business: () => 'Empresarial',
    open_bank_page: () => 'Continue na página do seu banco',
  },

  errors: {
    wrong_credentials: (bank) => `${bank} não aceitou estes dados. Verifique-os e tente novamente.`,
    wrong_answer: (bank) => `${bank} não aceitou esta resposta. Tente novamente.`,
    attemptsLeft,
    tooManySignIns: (minutes) =>
      `Tentativas demais. Nada foi enviado ao seu banco. Tente novamente em ${minutes === 1 ? '1 minuto' : `${minutes} minutos`}.`,
  },

  challenge: {
    code: 'Digite o seu código de segurança',
    question: 'Responda à sua pergunta de segurança',
    choice: 'Escolha como confirmar',
    approval: 'Aprove no aplicativo do seu banco',
    image: 'Digite os caracteres que vê',
    imageCode: 'Escaneie esta imagem para obter o seu código',
    imageAlt: 'Imagem do seu banco',
    lead: (bank) => `${bank} precisa verificar a sua identidade.`,
    leadReading: (bank) => `${bank} pede mais uma confirmação antes de compartilhar as suas transações.`,
    verify: 'Verificar',
    next: 'Continuar',
    checkAgain: 'Verificar de novo',
    waiting: 'Aguardando a sua aprovação…',
    stillWaiting:
      'Ainda não recebemos a sua aprovação. Abra o aplicativo do seu banco, aprove o acesso e verifique de novo.',
    chooseOne: 'Escolha uma opção para continuar.',
    missingCode: 'Digite o código.',
    missingAnswer: 'Digite a sua resposta.',
    resend: 'Enviar novamente',
    resendIn: (seconds) => `Enviar novamente em ${seconds} s`,
    resent: 'Enviado novamente.',
    otherMethod: 'Tentar de outra forma',
    digits: (min, max) =>
      min === max ? `Digite todos os ${min} dígitos.` : `Digite de ${min} a ${max} dígitos.`,
    characters: (min, max) =>
      min === max ? `Digite todos os ${min} caracteres.` : `Digite de ${min} a ${max} caracteres.`,
  },

  redirect: {
    title: (bank) => `Continue em ${bank}`,
    lead: (bank) => `${bank} abre em uma nova janela. Entre por lá e voltará aqui automaticamente.`,
    open: (bank) => `Abrir ${bank}`,
    waiting: (bank) => `Conclua o acesso em ${bank}`,
    waitingLead: 'Mantenha esta janela aberta. Ela continua assim que o acesso for feito.',
    openAgain: 'Abrir a página do banco novamente',
    closed: 'A outra janela foi fechada. Abra-a novamente ou digite o código que ela mostrou.',
    blocked: 'Se nenhuma janela abriu, permita pop-ups para esta página e abra-a novamente.',
    code: 'Código da outra janela',
    codeHint: 'Só se um código foi mostrado depois do acesso.',
    missing: 'Digite o código ou conclua o acesso no seu banco.',
    wrongCode: 'Este código não corresponde ao seu acesso. Verifique-o e tente novamente.',
  },

  returned: {
    codeTitle: 'Mais um passo: digite este código',
    codeLead: (application, bank) => `Digite-o na janela em que conecta ${bank} a ${application}.`,
    nativeLead: (application, bank) =>
      `Volte a ${application} para concluir a conexão de ${bank}. Se for pedido um código, digite este.`,
    backTo: (application) => `Voltar a ${application}`,
    warning: (application) =>
      `Outra pessoa enviou este link? Feche esta página: com este código, ela poderia conectar o seu banco à própria conta em ${application}.`,
    done: 'Tudo pronto aqui',
    close: 'Pode fechar esta janela.',
    ended: 'Esta página expirou',
    endedLead:
      'Volte à janela em que conecta o seu banco. Se ela foi fechada, comece de novo pelo aplicativo ou site.',
  },

  accounts: {
    title: 'Escolha as contas a compartilhar',
    lead: (application) => `${application} verá apenas as contas que escolher.`,
    removed: (days) =>
      `As contas que remover deixam de ser atualizadas. Continuam legíveis durante ${days} e depois são apagadas.`,
    historyUntil: (time) => `Escolha até às ${time}. Depois, o seu banco só fornece os movimentos recentes.`,
    chooseOne: 'Escolha pelo menos uma conta.',
    all: 'Selecionar todas',
    share: (count) =>
      count === 0
        ? 'Compartilhar contas'
        : count === 1
          ? 'Compartilhar 1 conta'
          : `Compartilhar ${count} contas`,
    connected: 'Já conectado',
    connectedBefore: (names, application) =>
      `Já conectado: ${names}. Se compartilhar de novo, ${application} receberá cada transação duas vezes.`,
    renew: 'Renovar a conexão',
    types: {
      depository: 'Conta bancária',
      credit: 'Conta de crédito',
      loan: 'Empréstimo',
      investment: 'Investimento',
      other: 'Conta',
    },
    subtypes: {
      checking: 'Conta corrente',
      savings: 'Conta poupança',
      credit_card: 'Cartão de crédito',
      line_of_credit: 'Linha de crédito',
      mortgage: 'Hipoteca',
      brokerage: 'Conta de corretora',
      pension: 'Previdência',
    },
    ending: (digits) => `com final ${digits}`,
  },

  importing: {
    title: 'Obtendo as suas transações',
    lead: 'Isto pode levar um minuto. Mantenha esta janela aberta.',
    delayed: 'Está demorando mais do que o normal. Continua automaticamente.',
    waiting: (bank) => `Contatando ${bank}…`,
    done: (count) => `${transactions(count)} até agora`,
    of: (count, total) => `${number.format(count)} de ${transactions(total)}`,
  },

  success: {
    title: 'O seu banco está conectado',
    restored: 'A sua conexão está atualizada',
    lead: (application, count, bank) => `${application} já pode ler ${accounts(count)} em ${bank}.`,
    shared: 'Contas compartilhadas',
    until: (until) => `O banco permite isto até ${until}. Se renovar antes, não há interrupção.`,
    missing: (count, bank) =>
      `Não encontramos mais em ${bank}: ${accounts(count)}. As transações anteriores são mantidas.`,
  },

  failed: {
    tryAgain: 'Tentar novamente',
    signInAgain: 'Entrar novamente',
    otherLogin: 'Usar outro acesso',
    otherInstitution: 'Escolher outro banco',
    restart: 'Começar de novo',
    yourInstitution: 'o seu banco',
    reasons: {
      wrong_credentials: {
        title: 'Os seus dados não foram aceitos',
        text: (bank) =>
          `${bank} recusou o seu acesso. Verifique se consegue entrar no site do seu banco e depois entre novamente.`,
      },
      wrong_answer: {
        title: 'A sua resposta não foi aceita',
        text: (bank) => `Este acesso a ${bank} terminou após uma resposta errada. Entre novamente.`,
      },
      locked: {
        title: 'O seu acesso está bloqueado',
        text: (bank) => `Desbloqueie-o no site ou no aplicativo de ${bank} e tente novamente.`,
      },
      denied: {
        title: 'O seu acesso não foi aprovado',
        text: (bank) => `Não foi aprovado no site nem no aplicativo de ${bank}. Entre novamente e aprove-o.`,
      },
      institution_down: {
        title: 'O seu banco não está acessível',
        text: (bank) => `${bank} não está disponível agora. Tente novamente em alguns minutos.`,
      },
      institution_timeout: {
        title: 'O seu banco não responde',
        text: (bank) => `${bank} não respondeu a tempo. Tente novamente em alguns minutos.`,
      },
      institution_incomplete: {
        title: 'Não foi possível ler as suas contas',
        text: (bank) => `${bank} não enviou todos os seus dados. Tente novamente mais tarde.`,
      },
      no_accounts: {
        title: 'Nenhuma conta para compartilhar',
        text: (bank) =>
          `Este acesso não tem em ${bank} contas que possam ser compartilhadas. Use outro acesso ou escolha outro banco.`,
      },
      accounts_mismatch: {
        title: 'Estas contas não correspondem',
        text: (bank) =>
          `Este acesso não tem as contas que estavam conectadas em ${bank}. Entre com o acesso usado antes.`,
      },
      user_action_required: {
        title: 'O seu banco precisa primeiro de uma ação',
        text: (bank) => `Entre no site de ${bank}, siga as instruções e tente novamente.`,
      },
      session_expired: {
        title: 'A sua sessão expirou',
        text: () => 'Ela terminou para proteger os seus dados. Nada foi compartilhado.',
      },
      cancelled: {
        title: 'Acesso cancelado',
        text: () => 'Nada foi compartilhado.',
      },
      superseded: {
        title: 'Continuado em outra janela',
        text: () => 'Um banco foi conectado em outra janela. Aqui nada foi compartilhado.',
      },
      internal: {
        title: 'Algo deu errado',
        text: () => 'O problema é nosso. Nada foi compartilhado. Tente novamente.',
      },
      origin_not_allowed: {
        title: 'Este site não pode conectar bancos',
        text: () => 'Ele não está configurado para isso. Volte e tente mais tarde.',
      },
      wrong_address: {
        title: 'Esta página foi aberta no endereço errado',
        text: () => 'Não é possível conectar bancos a partir daqui. Volte e tente mais tarde.',
      },
      native_not_allowed: {
        title: 'Este aplicativo não pode conectar bancos',
        text: () => 'Ele ainda não está configurado para isso. Volte e tente mais tarde.',
      },
      unknown_user: {
        title: 'Não foi possível verificar a sua sessão',
        text: () => 'Volte para onde começou, entre novamente e tente outra vez.',
      },
      unknown_application: {
        title: 'As conexões bancárias não estão bem configuradas',
        text: () => 'Volte e tente mais tarde.',
      },
      unknown_connection: {
        title: 'Esta conexão não pode ser restaurada',
        text: () =>
          'Ela foi removida ou não é sua. Volte para onde começou e tente novamente, ou conecte o seu banco de novo.',
      },
    },
  },
};
