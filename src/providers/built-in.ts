import type { Provider } from '../types/provider.ts'
import type { ProviderType } from '../types/records.ts'
import type FortyTwo from './42-school.ts'
import type Apple from './apple.ts'
import type Asgardeo from './asgardeo.ts'
import type Atlassian from './atlassian.ts'
import type Auth0 from './auth0.ts'
import type Authentik from './authentik.ts'
import type AzureAD from './azure-ad.ts'
import type AzureADB2C from './azure-ad-b2c.ts'
import type AzureDevOpsProvider from './azure-devops.ts'
import type BankIDNorway from './bankid-no.ts'
import type BattleNet from './battlenet.ts'
import type BeyondIdentity from './beyondidentity.ts'
import type Bitbucket from './bitbucket.ts'
import type Box from './box.ts'
import type SAMLJackson from './boxyhq-saml.ts'
import type Bungie from './bungie.ts'
import type ClickUp from './click-up.ts'
import type Cognito from './cognito.ts'
import type Coinbase from './coinbase.ts'
import type Concept2 from './concept2.ts'
import type Credentials from './credentials.ts'
import type Descope from './descope.ts'
import type Discord from './discord.ts'
import type Dribbble from './dribbble.ts'
import type Dropbox from './dropbox.ts'
import type DuendeIdentityServer6 from './duende-identity-server6.ts'
import type Email from './email.ts'
import type Eventbrite from './eventbrite.ts'
import type EVEOnline from './eveonline.ts'
import type Facebook from './facebook.ts'
import type FACEIT from './faceit.ts'
import type Figma from './figma.ts'
import type ForwardEmail from './forwardemail.ts'
import type Foursquare from './foursquare.ts'
import type Freshbooks from './freshbooks.ts'
import type Frontegg from './frontegg.ts'
import type FusionAuth from './fusionauth.ts'
import type GitHub from './github.ts'
import type GitLab from './gitlab.ts'
import type Google from './google.ts'
import type HubSpot from './hubspot.ts'
import type Huggingface from './huggingface.ts'
import type IdentityServer4 from './identity-server4.ts'
import type Instagram from './instagram.ts'
import type Kakao from './kakao.ts'
import type Keycloak from './keycloak.ts'
import type Kinde from './kinde.ts'
import type LINE from './line.ts'
import type LinkedIn from './linkedin.ts'
import type Logto from './logto.ts'
import type Loops from './loops.ts'
import type Mailchimp from './mailchimp.ts'
import type MailGun from './mailgun.ts'
import type Mailru from './mailru.ts'
import type Mastodon from './mastodon.ts'
import type Mattermost from './mattermost.ts'
import type Medium from './medium.ts'
import type MicrosoftEntraID from './microsoft-entra-id.ts'
import type Naver from './naver.ts'
import type Netlify from './netlify.ts'
import type NetSuite from './netsuite.ts'
import type Nextcloud from './nextcloud.ts'
import type Nodemailer from './nodemailer.ts'
import type NotionProvider from './notion.ts'
import type Okta from './okta.ts'
import type OneLogin from './onelogin.ts'
import type OryHydra from './ory-hydra.ts'
import type Osso from './osso.ts'
import type Osu from './osu.ts'
import type Passage from './passage.ts'
import type Passkey from './passkey.ts'
import type Patreon from './patreon.ts'
import type PingId from './ping-id.ts'
import type PinterestProvider from './pinterest.ts'
import type Pipedrive from './pipedrive.ts'
import type Postmark from './postmark.ts'
import type Reddit from './reddit.ts'
import type Resend from './resend.ts'
import type Roblox from './roblox.ts'
import type Salesforce from './salesforce.ts'
import type SendGrid from './sendgrid.ts'
import type SimpleLogin from './simplelogin.ts'
import type Slack from './slack.ts'
import type Spotify from './spotify.ts'
import type Strava from './strava.ts'
import type Threads from './threads.ts'
import type TikTok from './tiktok.ts'
import type TodoistProvider from './todoist.ts'
import type Trakt from './trakt.ts'
import type Twitch from './twitch.ts'
import type Twitter from './twitter.ts'
import type UnitedEffects from './united-effects.ts'
import type Vipps from './vipps.ts'
import type VK from './vk.ts'
import type WebAuthn from './webauthn.ts'
import type Webex from './webex.ts'
import type WeChat from './wechat.ts'
import type Wikimedia from './wikimedia.ts'
import type WordPress from './wordpress.ts'
import type WorkOS from './workos.ts'
import type Yandex from './yandex.ts'
import type ZITADEL from './zitadel.ts'
import type Zoho from './zoho.ts'
import type Zoom from './zoom.ts'

/** The presets, by the name of their module. */
export interface BuiltInProviders {
  '42-school': typeof FortyTwo
  apple: typeof Apple
  asgardeo: typeof Asgardeo
  atlassian: typeof Atlassian
  auth0: typeof Auth0
  authentik: typeof Authentik
  'azure-ad': typeof AzureAD
  'azure-ad-b2c': typeof AzureADB2C
  'azure-devops': typeof AzureDevOpsProvider
  'bankid-no': typeof BankIDNorway
  battlenet: typeof BattleNet
  beyondidentity: typeof BeyondIdentity
  bitbucket: typeof Bitbucket
  box: typeof Box
  'boxyhq-saml': typeof SAMLJackson
  bungie: typeof Bungie
  'click-up': typeof ClickUp
  cognito: typeof Cognito
  coinbase: typeof Coinbase
  concept2: typeof Concept2
  credentials: typeof Credentials
  descope: typeof Descope
  discord: typeof Discord
  dribbble: typeof Dribbble
  dropbox: typeof Dropbox
  'duende-identity-server6': typeof DuendeIdentityServer6
  email: typeof Email
  eventbrite: typeof Eventbrite
  eveonline: typeof EVEOnline
  facebook: typeof Facebook
  faceit: typeof FACEIT
  figma: typeof Figma
  forwardemail: typeof ForwardEmail
  foursquare: typeof Foursquare
  freshbooks: typeof Freshbooks
  frontegg: typeof Frontegg
  fusionauth: typeof FusionAuth
  github: typeof GitHub
  gitlab: typeof GitLab
  google: typeof Google
  hubspot: typeof HubSpot
  huggingface: typeof Huggingface
  'identity-server4': typeof IdentityServer4
  instagram: typeof Instagram
  kakao: typeof Kakao
  keycloak: typeof Keycloak
  kinde: typeof Kinde
  line: typeof LINE
  linkedin: typeof LinkedIn
  logto: typeof Logto
  loops: typeof Loops
  mailchimp: typeof Mailchimp
  mailgun: typeof MailGun
  mailru: typeof Mailru
  mastodon: typeof Mastodon
  mattermost: typeof Mattermost
  medium: typeof Medium
  'microsoft-entra-id': typeof MicrosoftEntraID
  naver: typeof Naver
  netlify: typeof Netlify
  netsuite: typeof NetSuite
  nextcloud: typeof Nextcloud
  nodemailer: typeof Nodemailer
  notion: typeof NotionProvider
  okta: typeof Okta
  onelogin: typeof OneLogin
  'ory-hydra': typeof OryHydra
  osso: typeof Osso
  osu: typeof Osu
  passage: typeof Passage
  passkey: typeof Passkey
  patreon: typeof Patreon
  'ping-id': typeof PingId
  pinterest: typeof PinterestProvider
  pipedrive: typeof Pipedrive
  postmark: typeof Postmark
  reddit: typeof Reddit
  resend: typeof Resend
  roblox: typeof Roblox
  salesforce: typeof Salesforce
  sendgrid: typeof SendGrid
  simplelogin: typeof SimpleLogin
  slack: typeof Slack
  spotify: typeof Spotify
  strava: typeof Strava
  threads: typeof Threads
  tiktok: typeof TikTok
  todoist: typeof TodoistProvider
  trakt: typeof Trakt
  twitch: typeof Twitch
  twitter: typeof Twitter
  'united-effects': typeof UnitedEffects
  vipps: typeof Vipps
  vk: typeof VK
  webauthn: typeof WebAuthn
  webex: typeof Webex
  wechat: typeof WeChat
  wikimedia: typeof Wikimedia
  wordpress: typeof WordPress
  workos: typeof WorkOS
  yandex: typeof Yandex
  zitadel: typeof ZITADEL
  zoho: typeof Zoho
  zoom: typeof Zoom
}

type IdOf<Type extends ProviderType> = {
  [Id in keyof BuiltInProviders]: ReturnType<BuiltInProviders[Id]> extends { type: Type } ? Id : never
}[keyof BuiltInProviders]

export type OAuthProviderId = IdOf<'oauth' | 'oidc'>
export type EmailProviderId = IdOf<'email'>

/** The id of a provider: one of the presets', or of your own. */
export type ProviderId = keyof BuiltInProviders | (string & {})

/** All providers of a configuration. */
export type AppProviders = Provider[]
