import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { Badge, Status } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { formatBytes } from '@/lib/values/format-bytes'
import type { AvailablePlugin as Available, AvailableVersion } from './index-queries'
import { planOffer } from './plan-offer'

/** A plugin of the index, with the version that is chosen. */
export function AvailablePlugin({ plugin }: { plugin: Available }) {
  const { id, name, description, author, installedVersion, isInstalled, versions, latest } = plugin
  // Until one is chosen it is the newest, also one that the index has only now.
  const [chosen, setChosen] = useState<string | null>(null)
  const named = (name: string | null | undefined) => versions.find((one) => one.version === name)
  const version = named(chosen) ?? named(latest) ?? versions[0]
  if (!version) return null
  return (
    <li className="grid gap-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-4">
      <div className="grid min-w-0 content-start gap-0.5">
        <h3 className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="max-w-full truncate">{name}</span>
          {isInstalled && <Badge>{installedVersion ?? 'No version'} installed</Badge>}
          {plugin.hasUpdate && <Status tone="info">Update</Status>}
        </h3>
        <p className="truncate text-xs text-muted-foreground">
          {id}
          {author && ` · ${author}`}
        </p>
        {description && <p className="line-clamp-3 break-words text-[13px]">{description}</p>}
        <About version={version} />
      </div>
      <div className="flex flex-wrap items-start gap-2 sm:justify-end">
        {versions.length > 1 && (
          <NativeSelect
            aria-label={`Version of ${name}`}
            className="w-32"
            value={version.version}
            onValueChange={setChosen}
            options={versions.map((one) => ({ value: one.version, label: one.version }))}
          />
        )}
        <Button
          size="sm"
          variant={plugin.hasUpdate || !isInstalled ? 'primary' : undefined}
          disabled={!version.isCompatible}
          aria-label={`${actionOf(plugin, version)}: ${name}`}
          onClick={() => planOffer(plugin, version.version)}
        >
          {actionOf(plugin, version)}
        </Button>
      </div>
    </li>
  )
}

/** Characters of a version on a button. */
const MAX_SHOWN = 20

export function actionOf(
  { isInstalled, installedVersion, hasUpdate, latest, versions }: Available,
  { version }: Pick<AvailableVersion, 'version'>,
): string {
  const shown = version.length > MAX_SHOWN ? `${version.slice(0, MAX_SHOWN)}…` : version
  if (!isInstalled) return versions.length > 1 ? `Install ${shown}` : 'Install'
  if (hasUpdate && version === latest) return `Update to ${shown}`
  return version === installedVersion ? 'Install again' : `Install ${shown}`
}

/** What the index says of a version; its archive is checked against it when it is planned. */
function About({ version }: { version: AvailableVersion }) {
  const { version: name, bytes, publisher, keyId, engine, isCompatible, changes } = version
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted-foreground">
        <span className="tabular">{name}</span>
        <span>{formatBytes(bytes)}</span>
        {version.publishedAt && <Time value={version.publishedAt} relative />}
        <span>
          {publisher
            ? `Signed by ${publisher}`
            : keyId
              ? `Signed by an unknown key, ${keyId}`
              : 'Not signed'}
        </span>
      </p>
      {!isCompatible && (
        <p className="text-[13px] text-warning">
          {name} is made for the engine {engine}, which this one is not.
        </p>
      )}
      {changes && (
        <details className="text-[13px]">
          <summary className="w-fit cursor-pointer text-muted-foreground hover:text-foreground">
            What’s new in {name}
          </summary>
          <p dir="auto" className="max-h-80 overflow-y-auto pt-1 break-words whitespace-pre-wrap">
            {changes}
          </p>
        </details>
      )}
    </>
  )
}
