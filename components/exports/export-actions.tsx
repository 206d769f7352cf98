'use client'
import { useMutation } from '@tanstack/react-query'
import { BanIcon, DownloadIcon, Trash2Icon } from 'lucide-react'
import { toast } from 'sonner'
import { Button, buttonClass } from '@/components/ui/button'
import type { BackgroundExport } from '@/lib/export/contract'
import { cancelExport, fileHref, isPreparing } from './export-queries'

type Props = { of: BackgroundExport; onRemove: (row: BackgroundExport) => void }

/** What can be done with an export: get its file, stop it, delete it. */
export function ExportActions({ of: row, onRemove }: Props) {
  const { id, status, fileName } = row
  const cancellation = useMutation({
    mutationFn: () => cancelExport(id),
    onError: (error) => toast.error(error.message),
  })
  if (isPreparing(row))
    return (
      <Button
        variant="ghost"
        size="icon-sm"
        busy={cancellation.isPending}
        aria-label={`Cancel ${fileName}`}
        title="Cancel"
        onClick={() => cancellation.mutate()}
      >
        <BanIcon aria-hidden />
      </Button>
    )
  return (
    <span className="flex">
      {status === 'READY' && (
        <a
          href={fileHref(id)}
          download={fileName}
          aria-label={`Download ${fileName}`}
          title="Download"
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <DownloadIcon aria-hidden />
        </a>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Delete ${fileName}`}
        title="Delete"
        onClick={() => onRemove(row)}
      >
        <Trash2Icon aria-hidden />
      </Button>
    </span>
  )
}
