/** As `OUTGOING_ALLOWED_HOSTS` has it. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
