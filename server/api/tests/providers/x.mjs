// X: OAuth 2.0 with PKCE as its developer documentation has it. No OpenID Connect.
export const x = {
  paths: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', person: '/2/users/me' },
  scopes: ['users.read', 'tweet.read'],
  // Confidential clients may use only the header.
  clientAuth: 'client_secret_basic',
  idOf: ({ id }) => id,
  token({ status, body }) {
    if (status === 200) Object.assign(body, { token_type: 'bearer', expires_in: 7200 });
  },
  answers: {
    person(person, { query }) {
      if (!person) return [403, { title: 'Forbidden', detail: 'Forbidden', type: 'about:blank', status: 403 }];
      const asked = (query['user.fields'] ?? '').split(',');
      const { id, name, username, ...more } = person;
      const fields = Object.fromEntries(Object.entries(more).filter(([field]) => asked.includes(field)));
      return [200, { data: { id, name, username, ...fields } }];
    },
  },
};
