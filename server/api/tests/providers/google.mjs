// Google: OpenID Connect.
export const google = {
  paths: { authorize: '/o/oauth2/v2/auth', token: '/token', person: '/v1/userinfo' },
  // The address for claims is the package's own.
  userinfo: true,
  scopes: ['openid', 'email', 'profile'],
  clientAuth: 'client_secret_post',
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  idOf: ({ sub }) => sub,
  claimsOf: (person) => person,
};
