import { eq } from 'drizzle-orm'
import type { PluginManifest } from '@/lib/archives/manifests'
import { type InstallSignature, plugins, type Signer } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError, type ErrorCode } from '@/lib/errors'
import { type Judged, judgeSignature } from '@/lib/publishers/judge-signature'
import type { Signed } from '@/lib/signatures/signature'
import type { InstallRequest } from './install-request'
import { isOlder } from './install-response'

type Asked = Pick<InstallRequest, 'acceptKey' | 'isLocal'> & { signed: Signed | null }
/** `signer`: whose plugin it is from then on. */
type Accepted = { signature: InstallSignature; signer: Signer | null }
type Installed = { version: string | null; signer: Signer | null }

/**
 * What the signature of an archive says, where the archive may be installed by it. `meta.signature` of a refusal is its reason: `invalid_input`
 * for a forged one, `conflict` for another key than that of the installed version, and with `PLUGIN_SIGNATURES=require` for an older version;
 * `forbidden` there for one without a key that is trusted.
 */
export async function requireSignature(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  { id, version }: Pick<PluginManifest, 'id' | 'version'>,
  { signed, acceptKey, isLocal }: Asked,
): Promise<Accepted> {
  const { PLUGIN_SIGNATURES: policy } = settings
  const judged = await judgeSignature(db, isLocal ? 'local' : signed)
  const [installed] = await db
    .select({ version: plugins.version, signer: plugins.signer })
    .from(plugins)
    .where(eq(plugins.id, id))
  // What is changed here stays its publisher's: the next version has to come from the same.
  if (isLocal) return { signature: toSignature(judged), signer: installed?.signer ?? null }
  const lack = lackOf(judged)
  if (policy === 'require') {
    if (lack) throw refusal('forbidden', judged.state, `${lack}; ${ONLY_SIGNED}`)
    requireNewer(version, installed)
  }
  const isOther = isOtherKey(judged, installed)
  if (isOther && !acceptKey) throw otherKey(judged, installed?.signer ?? null)
  return {
    signature: {
      ...toSignature(judged),
      ...(policy === 'warn' && lack ? { warning: lack } : {}),
      ...(isOther ? { accepted: true } : {}),
    },
    signer: judged.signer,
  }
}

const toSignature = ({ state, keyId, signer }: Judged): InstallSignature => ({
  state,
  publisher: signer?.publisher ?? null,
  keyId,
})

const refusal = (code: ErrorCode, signature: string, message: string) =>
  new AppError(code, message, { meta: { signature } })

/** What keeps the signature from being that of a trusted publisher, in words. */
function lackOf({ state, keyId, signer }: Judged): string | null {
  if (state === 'none') return 'The archive is not signed'
  if (state === 'unknown')
    return `The archive is signed by the key ${keyId}, which is not trusted here`
  if (state === 'expired')
    return `The archive is signed by the key ${keyId} of "${signer?.publisher}", whose trust has expired`
  return null
}

const ONLY_SIGNED =
  'this server installs archives of trusted publishers only: trust the key under Settings, if its publisher confirms it, or ask for a signed archive'

/** An archive stays signed for ever: of an older version, the signature says nothing about whether it should still be installed. */
function requireNewer(version: string | null, installed: Installed | undefined): void {
  const isWithout = version === null && Boolean(installed?.version)
  if (!isWithout && !isOlder(version, installed?.version)) return
  const what = version === null ? 'The archive has no version' : `Version ${version} is older`
  const message = `${what}, while ${installed?.version} is installed: this server does not install older versions again. Roll back the last install, or uninstall the plugin first`
  throw refusal('conflict', 'older', message)
}

/** A plugin keeps its key. An archive by a key that is not trusted may claim any. */
const isOtherKey = ({ signer }: Judged, installed: Installed | undefined): boolean =>
  Boolean(installed?.signer) && signer?.publicKey !== installed?.signer?.publicKey

function otherKey({ state, keyId, signer }: Judged, before: Signer | null): AppError {
  const by = signer ? `is signed by the key ${keyId} of "${signer.publisher}"` : UNVERIFIED[state]
  const message = `The installed version is signed by the key ${before?.keyId} of "${before?.publisher}", while this archive ${by}. If the publisher confirms the change, an administrator can accept it in the console`
  return refusal('conflict', 'other-key', message)
}

const UNVERIFIED: Partial<Record<Judged['state'], string>> = {
  none: 'is not signed',
  unknown: 'is signed by a key that is not trusted here',
}
