/** The install is over already (another process took it for dead): nothing more may be written. */
export class InstallClosedError extends Error {
  override readonly name = 'InstallClosedError'
}
