import type { Requirement } from './requirement.ts'

/** How a change to an account ends trust and pending operations, even in other processes. */
export const stamps = [
  {
    id: 'STM-01',
    level: 'must',
    says: 'A sign-in with a password, a mailed link or a mailed code that began before the password was reset or changed, the second factor was enrolled or removed, or the sessions of the user were ended or revoked, opens no session afterwards, in any process. It reads the stamp of the account before it checks the credential, and again after it has stored the session, which it removes if the stamp differs. With JWT sessions, it reads the stamp again before it issues the token, and the token counts as issued when the stamp was first read.',
    source: 'ASVS 7.4.3; CWE-367; docs/decisions/0059-pending-things-end-by-a-stamp.md',
    status: 'decided',
    why: 'A thief whose request is waiting while the owner resets the password would keep a session.',
  },
  {
    id: 'STM-02',
    level: 'must',
    says: 'Every change that ends something renews the stamp of the account, a random value. The stamp binds mailed sign-in links and codes, links that set a password or change the address, sign-ins that wait for the second factor or are held by a gate, and remembered devices. They no longer open a session, change the account or replace the second factor after a change to the account that ends trust and pending operations.',
    source: 'ASVS 7.4.3; ASVS 6.3.8; docs/decisions/0059-pending-things-end-by-a-stamp.md',
    status: 'decided',
    why: 'Someone who requested or intercepted a link before a reset would sign in with it after the reset.',
  },
  {
    id: 'STM-03',
    level: 'must',
    says: 'auth.revokeSessions also ends everything that is bound to the stamp of the user: it renews the record “stamp” before it ends the sessions.',
    source: 'ASVS 7.4.5; STM-02',
    status: 'decided',
    why: 'An administrator who ends the sessions of a user means the remembered devices and requested links, too.',
  },
  {
    id: 'STM-04',
    level: 'must',
    says: 'On a site without passwords, mailed links or codes, address changes, a second factor and gates of features, a sign-in reads no stamp. On other sites, it makes at most two more adapter calls. Reading a session makes none.',
    source: 'DEC-33b; STM-01',
    status: 'decided',
    why: 'Sites pay only for what they use.',
  },
  {
    id: 'STM-05',
    level: 'must',
    says: 'An account has no stamp until a change renews it. What was mailed or remembered by an earlier version, or by Auth.js, therefore stays valid until it expires or such a change ends it. With an adapter that has no records, the hash of the password takes the place of the stamp, except that replacing an outdated hash at a sign-in ends no sign-in. A link that an earlier version mailed to a user with a password then fails.',
    source: 'ADP-025; DEC-39c; docs/decisions/0059-pending-things-end-by-a-stamp.md',
    status: 'decided',
    why: 'An upgrade must not invalidate links in mailboxes, and published adapters must keep working.',
  },
] as const satisfies readonly Requirement[]
