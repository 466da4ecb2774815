// GitHub: OAuth apps, on the paths of an Enterprise Server.
const REFUSALS = {
  invalid_grant: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  invalid_client: ['incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.'],
};

const answered = (answer) => (person, context) => {
  // Its API refuses requests without a User-Agent.
  if (!context.get('user-agent')) return [403, 'Request forbidden by administrative rules.'];
  return person ? answer(person) : [401, { message: 'Bad credentials', status: '401' }];
};

export const github = {
  paths: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    person: '/api/v3/user',
    emails: '/api/v3/user/emails',
  },
  scopes: ['read:user', 'user:email'],
  clientAuth: 'client_secret_post',
  idOf: ({ id }) => id,
  token(context) {
    const { error, access_token, scope } = context.body;
    if (error) {
      const [name, description] = REFUSALS[error] ?? [error, error];
      context.body = { error: name, error_description: description, error_uri: 'https://docs.github.com/' };
    } else {
      context.body = { access_token, token_type: 'bearer', scope: scope.split(' ').join(',') };
    }
    // Errors have status 200 too.
    context.status = 200;
    if (!context.accepts(['application/x-www-form-urlencoded', 'application/json']).endsWith('json')) {
      context.body = new URLSearchParams(context.body).toString();
      context.type = 'application/x-www-form-urlencoded';
    }
  },
  answers: {
    person: answered(({ emails, ...person }) => [200, person]),
    emails: answered(({ emails }) => (emails ? [200, emails] : [404, { message: 'Not Found', status: '404' }])),
  },
};
