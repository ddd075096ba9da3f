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
  /** `authmachine/providers/42-school` */
  '42-school': typeof FortyTwo
  /** `authmachine/providers/apple` */
  apple: typeof Apple
  /** `authmachine/providers/asgardeo` */
  asgardeo: typeof Asgardeo
  /** `authmachine/providers/atlassian` */
  atlassian: typeof Atlassian
  /** `authmachine/providers/auth0` */
  auth0: typeof Auth0
  /** `authmachine/providers/authentik` */
  authentik: typeof Authentik
  /** `authmachine/providers/azure-ad` */
  'azure-ad': typeof AzureAD
  /** `authmachine/providers/azure-ad-b2c` */
  'azure-ad-b2c': typeof AzureADB2C
  /** `authmachine/providers/azure-devops` */
  'azure-devops': typeof AzureDevOpsProvider
  /** `authmachine/providers/bankid-no` */
  'bankid-no': typeof BankIDNorway
  /** `authmachine/providers/battlenet` */
  battlenet: typeof BattleNet
  /** `authmachine/providers/beyondidentity` */
  beyondidentity: typeof BeyondIdentity
  /** `authmachine/providers/bitbucket` */
  bitbucket: typeof Bitbucket
  /** `authmachine/providers/box` */
  box: typeof Box
  /** `authmachine/providers/boxyhq-saml` */
  'boxyhq-saml': typeof SAMLJackson
  /** `authmachine/providers/bungie` */
  bungie: typeof Bungie
  /** `authmachine/providers/click-up` */
  'click-up': typeof ClickUp
  /** `authmachine/providers/cognito` */
  cognito: typeof Cognito
  /** `authmachine/providers/coinbase` */
  coinbase: typeof Coinbase
  /** `authmachine/providers/concept2` */
  concept2: typeof Concept2
  /** `authmachine/providers/credentials` */
  credentials: typeof Credentials
  /** `authmachine/providers/descope` */
  descope: typeof Descope
  /** `authmachine/providers/discord` */
  discord: typeof Discord
  /** `authmachine/providers/dribbble` */
  dribbble: typeof Dribbble
  /** `authmachine/providers/dropbox` */
  dropbox: typeof Dropbox
  /** `authmachine/providers/duende-identity-server6` */
  'duende-identity-server6': typeof DuendeIdentityServer6
  /** `authmachine/providers/email` */
  email: typeof Email
  /** `authmachine/providers/eventbrite` */
  eventbrite: typeof Eventbrite
  /** `authmachine/providers/eveonline` */
  eveonline: typeof EVEOnline
  /** `authmachine/providers/facebook` */
  facebook: typeof Facebook
  /** `authmachine/providers/faceit` */
  faceit: typeof FACEIT
  /** `authmachine/providers/figma` */
  figma: typeof Figma
  /** `authmachine/providers/forwardemail` */
  forwardemail: typeof ForwardEmail
  /** `authmachine/providers/foursquare` */
  foursquare: typeof Foursquare
  /** `authmachine/providers/freshbooks` */
  freshbooks: typeof Freshbooks
  /** `authmachine/providers/frontegg` */
  frontegg: typeof Frontegg
  /** `authmachine/providers/fusionauth` */
  fusionauth: typeof FusionAuth
  /** `authmachine/providers/github` */
  github: typeof GitHub
  /** `authmachine/providers/gitlab` */
  gitlab: typeof GitLab
  /** `authmachine/providers/google` */
  google: typeof Google
  /** `authmachine/providers/hubspot` */
  hubspot: typeof HubSpot
  /** `authmachine/providers/huggingface` */
  huggingface: typeof Huggingface
  /** `authmachine/providers/identity-server4` */
  'identity-server4': typeof IdentityServer4
  /** `authmachine/providers/instagram` */
  instagram: typeof Instagram
  /** `authmachine/providers/kakao` */
  kakao: typeof Kakao
  /** `authmachine/providers/keycloak` */
  keycloak: typeof Keycloak
  /** `authmachine/providers/kinde` */
  kinde: typeof Kinde
  /** `authmachine/providers/line` */
  line: typeof LINE
  /** `authmachine/providers/linkedin` */
  linkedin: typeof LinkedIn
  /** `authmachine/providers/logto` */
  logto: typeof Logto
  /** `authmachine/providers/loops` */
  loops: typeof Loops
  /** `authmachine/providers/mailchimp` */
  mailchimp: typeof Mailchimp
  /** `authmachine/providers/mailgun` */
  mailgun: typeof MailGun
  /** `authmachine/providers/mailru` */
  mailru: typeof Mailru
  /** `authmachine/providers/mastodon` */
  mastodon: typeof Mastodon
  /** `authmachine/providers/mattermost` */
  mattermost: typeof Mattermost
  /** `authmachine/providers/medium` */
  medium: typeof Medium
  /** `authmachine/providers/microsoft-entra-id` */
  'microsoft-entra-id': typeof MicrosoftEntraID
  /** `authmachine/providers/naver` */
  naver: typeof Naver
  /** `authmachine/providers/netlify` */
  netlify: typeof Netlify
  /** `authmachine/providers/netsuite` */
  netsuite: typeof NetSuite
  /** `authmachine/providers/nextcloud` */
  nextcloud: typeof Nextcloud
  /** `authmachine/providers/nodemailer` */
  nodemailer: typeof Nodemailer
  /** `authmachine/providers/notion` */
  notion: typeof NotionProvider
  /** `authmachine/providers/okta` */
  okta: typeof Okta
  /** `authmachine/providers/onelogin` */
  onelogin: typeof OneLogin
  /** `authmachine/providers/ory-hydra` */
  'ory-hydra': typeof OryHydra
  /** `authmachine/providers/osso` */
  osso: typeof Osso
  /** `authmachine/providers/osu` */
  osu: typeof Osu
  /** `authmachine/providers/passage` */
  passage: typeof Passage
  /** `authmachine/providers/passkey` */
  passkey: typeof Passkey
  /** `authmachine/providers/patreon` */
  patreon: typeof Patreon
  /** `authmachine/providers/ping-id` */
  'ping-id': typeof PingId
  /** `authmachine/providers/pinterest` */
  pinterest: typeof PinterestProvider
  /** `authmachine/providers/pipedrive` */
  pipedrive: typeof Pipedrive
  /** `authmachine/providers/postmark` */
  postmark: typeof Postmark
  /** `authmachine/providers/reddit` */
  reddit: typeof Reddit
  /** `authmachine/providers/resend` */
  resend: typeof Resend
  /** `authmachine/providers/roblox` */
  roblox: typeof Roblox
  /** `authmachine/providers/salesforce` */
  salesforce: typeof Salesforce
  /** `authmachine/providers/sendgrid` */
  sendgrid: typeof SendGrid
  /** `authmachine/providers/simplelogin` */
  simplelogin: typeof SimpleLogin
  /** `authmachine/providers/slack` */
  slack: typeof Slack
  /** `authmachine/providers/spotify` */
  spotify: typeof Spotify
  /** `authmachine/providers/strava` */
  strava: typeof Strava
  /** `authmachine/providers/threads` */
  threads: typeof Threads
  /** `authmachine/providers/tiktok` */
  tiktok: typeof TikTok
  /** `authmachine/providers/todoist` */
  todoist: typeof TodoistProvider
  /** `authmachine/providers/trakt` */
  trakt: typeof Trakt
  /** `authmachine/providers/twitch` */
  twitch: typeof Twitch
  /** `authmachine/providers/twitter` */
  twitter: typeof Twitter
  /** `authmachine/providers/united-effects` */
  'united-effects': typeof UnitedEffects
  /** `authmachine/providers/vipps` */
  vipps: typeof Vipps
  /** `authmachine/providers/vk` */
  vk: typeof VK
  /** `authmachine/providers/webauthn` */
  webauthn: typeof WebAuthn
  /** `authmachine/providers/webex` */
  webex: typeof Webex
  /** `authmachine/providers/wechat` */
  wechat: typeof WeChat
  /** `authmachine/providers/wikimedia` */
  wikimedia: typeof Wikimedia
  /** `authmachine/providers/wordpress` */
  wordpress: typeof WordPress
  /** `authmachine/providers/workos` */
  workos: typeof WorkOS
  /** `authmachine/providers/yandex` */
  yandex: typeof Yandex
  /** `authmachine/providers/zitadel` */
  zitadel: typeof ZITADEL
  /** `authmachine/providers/zoho` */
  zoho: typeof Zoho
  /** `authmachine/providers/zoom` */
  zoom: typeof Zoom
}

type IdOf<Type extends ProviderType> = {
  [Id in keyof BuiltInProviders]: ReturnType<BuiltInProviders[Id]> extends { type: Type } ? Id : never
}[keyof BuiltInProviders]

/** Ids of the presets that sign in by OAuth or OpenID Connect. */
export type OAuthProviderId = IdOf<'oauth' | 'oidc'>
/** Ids of the presets that mail links. */
export type EmailProviderId = IdOf<'email'>

/** The id of a provider: one of the presets', or of your own. */
export type ProviderId = keyof BuiltInProviders | (string & {})

/** All providers of a configuration. */
export type AppProviders = Provider[]
