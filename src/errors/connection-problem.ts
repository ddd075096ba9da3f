/** Why a server could not be reached. */
export type ConnectionProblem =
  | 'certificate-untrusted'
  | 'certificate-of-another-host'
  | 'certificate-outdated'
  | 'host-unknown'
  | 'connection-refused'
  | 'network-unreachable'
  | 'connection-lost'
  | 'https-expected'
  | 'timed-out'

/** The codes of Node (OpenSSL, libuv, undici) and Bun. */
const codes: Readonly<Record<ConnectionProblem, readonly string[]>> = {
  'certificate-untrusted': [
    'CERT_UNTRUSTED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  'certificate-of-another-host': ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  'certificate-outdated': ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  'host-unknown': ['EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'ENOTFOUND'],
  'connection-refused': ['ConnectionRefused', 'ECONNREFUSED'],
  'network-unreachable': [
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'FailedToOpenSocket',
    'UND_ERR_CONNECT_TIMEOUT',
  ],
  'connection-lost': ['ConnectionClosed', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  'https-expected': ['EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_WRONG_VERSION_NUMBER'],
  'timed-out': ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
}

const problems: ReadonlyMap<unknown, ConnectionProblem> = new Map(
  Object.entries(codes).flatMap(([problem, names]) =>
    names.map((name): [string, ConnectionProblem] => [name, problem as ConnectionProblem]),
  ),
)

/** Returns why a server could not be reached, by an error and its causes, or undefined for any other error. */
export function findConnectionProblem(error: unknown): ConnectionProblem | undefined {
  for (const each of listCauses(error)) {
    const known = problems.get(Reflect.get(each, 'code'))
    if (known) return known
    // The error of `AbortSignal.timeout`.
    if (each.name === 'TimeoutError') return 'timed-out'
  }
  return undefined
}

/** Maximum number of causes. A chain may lead back to itself. */
const longest = 8

/** Lists an error and its causes, the outermost first. */
export function listCauses(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < longest; each = causeOf(each))
    causes.push(each)
  return causes
}

/** Errors of this library keep the cause beside other details. */
function causeOf({ cause }: Error): unknown {
  return typeof cause === 'object' && cause !== null && 'err' in cause ? cause.err : cause
}
