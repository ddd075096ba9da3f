import type { Provider } from '../types/provider.ts'
import type { ProviderType } from '../types/records.ts'
import type FortyTwo from '../providers/42-school.ts'
import type Apple from '../providers/apple.ts'
import type Asgardeo from '../providers/asgardeo.ts'
import type Atlassian from '../providers/atlassian.ts'
import type Auth0 from '../providers/auth0.ts'
import type Authentik from '../providers/authentik.ts'
import type AzureAD from '../providers/azure-ad.ts'
import type AzureADB2C from '../providers/azure-ad-b2c.ts'
import type AzureDevOpsProvider from '../providers/azure-devops.ts'
import type BankIDNorway from '../providers/bankid-no.ts'
import type BattleNet from '../providers/battlenet.ts'
import type BeyondIdentity from '../providers/beyondidentity.ts'
import type Bitbucket from '../providers/bitbucket.ts'
import type Box from '../providers/box.ts'
import type SAMLJackson from '../providers/boxyhq-saml.ts'
import type Bungie from '../providers/bungie.ts'
import type ClickUp from '../providers/click-up.ts'
import type Cognito from '../providers/cognito.ts'
import type Coinbase from '../providers/coinbase.ts'
import type Concept2 from '../providers/concept2.ts'
import type Credentials from '../providers/credentials.ts'
import type Descope from '../providers/descope.ts'
import type Discord from '../providers/discord.ts'
import type Dribbble from '../providers/dribbble.ts'
import type Dropbox from '../providers/dropbox.ts'
import type DuendeIdentityServer6 from '../providers/duende-identity-server6.ts'
import type Email from '../providers/email.ts'
import type Eventbrite from '../providers/eventbrite.ts'
import type EVEOnline from '../providers/eveonline.ts'
import type Facebook from '../providers/facebook.ts'
import type FACEIT from '../providers/faceit.ts'
import type Figma from '../providers/figma.ts'
import type ForwardEmail from '../providers/forwardemail.ts'
import type Foursquare from '../providers/foursquare.ts'
import type Freshbooks from '../providers/freshbooks.ts'
import type Frontegg from '../providers/frontegg.ts'
import type FusionAuth from '../providers/fusionauth.ts'
import type GitHub from '../providers/github.ts'
import type GitLab from '../providers/gitlab.ts'
import type Google from '../providers/google.ts'
import type HubSpot from '../providers/hubspot.ts'
import type Huggingface from '../providers/huggingface.ts'
import type IdentityServer4 from '../providers/identity-server4.ts'
import type Instagram from '../providers/instagram.ts'
import type Kakao from '../providers/kakao.ts'
import type Keycloak from '../providers/keycloak.ts'
import type Kinde from '../providers/kinde.ts'
import type LINE from '../providers/line.ts'
import type LinkedIn from '../providers/linkedin.ts'
import type Logto from '../providers/logto.ts'
import type Loops from '../providers/loops.ts'
import type Mailchimp from '../providers/mailchimp.ts'
import type MailGun from '../providers/mailgun.ts'
import type Mailru from '../providers/mailru.ts'
import type Mastodon from '../providers/mastodon.ts'
import type Mattermost from '../providers/mattermost.ts'
import type Medium from '../providers/medium.ts'
import type MicrosoftEntraID from '../providers/microsoft-entra-id.ts'
import type Naver from '../providers/naver.ts'
import type Netlify from '../providers/netlify.ts'
import type NetSuite from '../providers/netsuite.ts'
import type Nextcloud from '../providers/nextcloud.ts'
import type Nodemailer from '../providers/nodemailer.ts'
import type NotionProvider from '../providers/notion.ts'
import type Okta from '../providers/okta.ts'
import type OneLogin from '../providers/onelogin.ts'
import type OryHydra from '../providers/ory-hydra.ts'
import type Osso from '../providers/osso.ts'
import type Osu from '../providers/osu.ts'
import type Passage from '../providers/passage.ts'
import type Passkey from '../providers/passkey.ts'
import type Patreon from '../providers/patreon.ts'
import type PingId from '../providers/ping-id.ts'
import type PinterestProvider from '../providers/pinterest.ts'
import type Pipedrive from '../providers/pipedrive.ts'
import type Postmark from '../providers/postmark.ts'
import type Reddit from '../providers/reddit.ts'
import type Resend from '../providers/resend.ts'
import type Roblox from '../providers/roblox.ts'
import type Salesforce from '../providers/salesforce.ts'
import type SendGrid from '../providers/sendgrid.ts'
import type SimpleLogin from '../providers/simplelogin.ts'
import type Slack from '../providers/slack.ts'
import type Spotify from '../providers/spotify.ts'
import type Strava from '../providers/strava.ts'
import type Threads from '../providers/threads.ts'
import type TikTok from '../providers/tiktok.ts'
import type TodoistProvider from '../providers/todoist.ts'
import type Trakt from '../providers/trakt.ts'
import type Twitch from '../providers/twitch.ts'
import type Twitter from '../providers/twitter.ts'
import type UnitedEffects from '../providers/united-effects.ts'
import type Vipps from '../providers/vipps.ts'
import type VK from '../providers/vk.ts'
import type WebAuthn from '../providers/webauthn.ts'
import type Webex from '../providers/webex.ts'
import type WeChat from '../providers/wechat.ts'
import type Wikimedia from '../providers/wikimedia.ts'
import type WordPress from '../providers/wordpress.ts'
import type WorkOS from '../providers/workos.ts'
import type Yandex from '../providers/yandex.ts'
import type ZITADEL from '../providers/zitadel.ts'
import type Zoho from '../providers/zoho.ts'
import type Zoom from '../providers/zoom.ts'

/** The presets by module name. */
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

/** Ids of the OAuth and OpenID Connect presets. */
export type OAuthProviderId = IdOf<'oauth' | 'oidc'>
/** Ids of the e-mail presets. */
export type EmailProviderId = IdOf<'email'>

/** The id of a provider: the id of a preset, or your own id. */
export type ProviderId = keyof BuiltInProviders | (string & {})

/** All providers of a configuration. */
export type AppProviders = Provider[]
