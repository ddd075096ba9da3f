import type { OIDCConfig } from '../../../src/providers.ts'

export const company: OIDCConfig = {
  id: 'company',
  name: 'Our company',
  type: 'oidc',
  issuer: 'https://id.company.example',
}
