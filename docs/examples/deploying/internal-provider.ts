import { createAuth } from 'authmachine'

/** Browsers reach the provider at `id.example.com`, this server at `keycloak:8080`. */
export const auth = createAuth({
  providers: [
    {
      id: 'keycloak',
      name: 'Keycloak',
      type: 'oidc',
      issuer: 'https://id.example.com/realms/main',
      authorization: 'https://id.example.com/realms/main/protocol/openid-connect/auth',
      token: 'http://keycloak:8080/realms/main/protocol/openid-connect/token',
      jwks_endpoint: 'http://keycloak:8080/realms/main/protocol/openid-connect/certs',
      // Only for plain http inside the private network.
      allowInsecureRequests: true,
    },
  ],
})
