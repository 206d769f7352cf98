import { useEffect, useRef } from 'react'
import { useConfirmation } from '@/components/second-factors/use-confirmation'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Select } from '@/components/ui/select'
import { toast } from '@/components/ui/toast'
import { WarningSummary } from './file-details'
import { FileReports } from './file-reports'
import { canInstall, installQueue, isPlanning, isUnplanned, type QueueItem } from './install-queue'
import { SignatureNotice } from './install-signature'
import { PlanConflicts } from './plan-conflicts'
import { PlannedRecords } from './planned-records'
import type { FileLog, InstallPreview } from './searches'
import { WhatsNew } from './whats-new'

const MODES = [
  { value: 'partial', label: 'Install valid files' },
  { value: 'atomic', label: 'All files or none' },
] as const

/** What an archive would do, before it does. */
export function PlanView({ item, preview }: { item: QueueItem; preview: InstallPreview }) {
  const { totalFiles, recordCount } = preview
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Warnings preview={preview} />
      <WhatsNew {...preview} />
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-[13px] text-muted-foreground">
          {versionText(preview)} {countOf(totalFiles, 'file')}, {countOf(recordCount, 'record')}.
          Nothing has been written yet.
        </p>
        <Select
          size="sm"
          className="w-44"
          aria-label={`How to install ${item.name}`}
          value={item.mode}
          readOnly={isPlanning(item)}
          onValueChange={(mode) => installQueue.setOptions(item.id, { mode })}
          options={MODES}
        />
        <Button size="sm" onClick={() => closePlan(item)}>
          Close without installing
        </Button>
        <PlanAction item={item} preview={preview} />
      </div>
      <PlanConflicts item={item} preview={preview} />
      <RecordChoices item={item} preview={preview} />
      <FileReports
        files={preview.files}
        planned
        records={({ path, target }) => <PlannedRecords {...{ item, path, target }} />}
      />
    </div>
  )
}

/** A plan may be all that was wanted: a comparison of an archive with what is installed. */
function closePlan({ id, name }: QueueItem): void {
  installQueue.remove(id)
  toast.info(`${name} was not installed`, { description: 'Nothing has changed.' })
}

function versionText({ version, installedVersion }: InstallPreview): string {
  if (installedVersion === undefined) return 'A new plugin.'
  if (installedVersion === version) return `Version ${version ?? '—'} is installed already.`
  return `Replaces version ${installedVersion ?? '—'} with ${version ?? '—'}.`
}

function Warnings({ preview }: { preview: InstallPreview }) {
  const { isDowngrade, version, installedVersion, failedCount, totalFiles, files } = preview
  const risky = files.flatMap(({ changes }) => changes.filter(isRisky))
  return (
    <>
      <SignatureNotice signature={preview.signature} />
      <WarningSummary files={files} />
      {isDowngrade && (
        <Notice tone="warning" title={`Downgrade from ${installedVersion} to ${version}`}>
          The installed version is newer. Columns and data it added stay.
        </Notice>
      )}
      {risky.length > 0 && (
        <Notice tone="warning" title="Changes that restrict or hide stored data">
          <ul className="list-disc pl-4">
            {risky.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </Notice>
      )}
      {failedCount > 0 && (
        <Notice
          tone="destructive"
          title={`${failedCount} of ${countOf(totalFiles, 'file')} will be refused`}
        >
          {canInstall(preview)
            ? 'The other files are written. The reasons are listed below.'
            : 'Nothing is written. Fix the archive and choose it again.'}
        </Notice>
      )}
    </>
  )
}

/** Steps that take something away or make a rule stricter for what is stored. */
const isRisky = (change: string): boolean =>
  /^(Drop (?!the (unique )?index)|Stop serving|Change the column|Require a value|Check |Make sure|No longer )|is new and empty/.test(
    change,
  )

/** Installs what is planned, or plans it again where that is needed first. */
function PlanAction({ item, preview }: { item: QueueItem; preview: InstallPreview }) {
  const { id, isStale } = item
  const busy = isPlanning(item)
  const button = useFocusAfter(busy)
  const needsPlan = isStale || isUnplanned(item)
  const isBlocked = !needsPlan && !canInstall(preview)
  const { ask, dialog } = useConfirmation('accept another key', { byFactor: true })
  async function act(archive: HTMLElement | null): Promise<void> {
    if (needsPlan) return installQueue.planAgain(id)
    if (preview.signature?.accepted && !(await ask())) return
    // The button goes with the plan; from its archive the keyboard comes to the result.
    archive?.focus()
    installQueue.install(id)
  }
  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant="primary"
        busy={busy}
        disabled={isBlocked}
        onClick={({ currentTarget }) => void act(currentTarget.closest('li'))}
      >
        {isStale ? 'Make a new plan' : needsPlan ? 'Update the plan' : installLabel(preview)}
      </Button>
      {dialog}
    </>
  )
}

function installLabel(preview: InstallPreview): string {
  const { failedCount, successCount, totalFiles } = preview
  return failedCount > 0 && canInstall(preview)
    ? `Install ${successCount} of ${countOf(totalFiles, 'file')}`
    : 'Install'
}

/** A busy button loses the focus, which is returned to it unless it went elsewhere. */
function useFocusAfter(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    const { activeElement } = document
    // A browser takes the focus from a disabled button only when it draws the page.
    if (busy)
      wasPressed.current = activeElement === document.body || activeElement === button.current
    else if (wasPressed.current && activeElement === document.body) button.current?.focus()
  }, [busy])
  return button
}

type Props = { item: QueueItem; preview: InstallPreview }

const REMOVED = [
  { value: 'keep', label: 'Keep them' },
  { value: 'delete', label: 'Delete unedited ones' },
] as const

const DELETED = [
  { value: 'keep', label: 'Keep them deleted' },
  { value: 'restore', label: 'Bring them back' },
] as const

/**
 * What happens to records that the plugin gave before: those that it gives no longer, and those that were deleted here. A
 * choice makes a new plan.
 */
export function RecordChoices({ item, preview: { files } }: Props) {
  const sum = (value: (file: FileLog) => number) =>
    files.reduce((total, file) => total + value(file), 0)
  const removed = sum((file) => file.removed.total)
  const kept = sum((file) => file.deleted.kept)
  const restored = sum((file) => file.deleted.restored)
  const common = { className: 'w-44', size: 'sm', readOnly: isPlanning(item) } as const
  return (
    <>
      {removed > 0 && (
        <Line text={`${countOf(removed, 'record is', 'records are')} no longer in the plugin`}>
          <Select
            {...common}
            aria-label="Records no longer in the plugin"
            value={item.removed ?? 'keep'}
            onValueChange={(choice) => installQueue.setOptions(item.id, { removed: choice })}
            options={REMOVED}
          />
        </Line>
      )}
      {kept + restored > 0 && (
        <Line text={deletedText(kept, restored)}>
          <Select
            {...common}
            aria-label="Records that were deleted here"
            value={item.deleted ?? 'keep'}
            onValueChange={(choice) => installQueue.setOptions(item.id, { deleted: choice })}
            options={DELETED}
          />
        </Line>
      )}
    </>
  )
}

function deletedText(kept: number, restored: number): string {
  const were = (count: number) => countOf(count, 'record that was', 'records that were')
  const parts = [
    kept > 0 && `${were(kept)} deleted here ${kept === 1 ? 'stays' : 'stay'} deleted`,
    restored > 0 && `${were(restored)} deleted here ${restored === 1 ? 'comes' : 'come'} back`,
  ]
  return parts.filter(Boolean).join('; ')
}

const Line = ({ text, children }: { text: string; children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">
    <p className="mr-auto text-[13px]">{text}</p>
    {children}
  </div>
)
