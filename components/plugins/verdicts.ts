import { CircleDotIcon, CircleMinusIcon, EqualIcon, type LucideIcon, PlusIcon } from 'lucide-react'
import type { Tone } from '@/components/ui/status'
import type { FileStatus, History } from './types'

type Look = { tone: Tone; icon?: LucideIcon; done: string; planned: string }

/** In the order of attention. */
export const FILE_VERDICTS: Record<FileStatus, Look> = {
  failed: { tone: 'destructive', done: 'Failed', planned: 'Refused' },
  created: { tone: 'success', icon: PlusIcon, done: 'Created', planned: 'Will be created' },
  updated: { tone: 'info', icon: CircleDotIcon, done: 'Updated', planned: 'Will be updated' },
  unchanged: { tone: 'neutral', icon: EqualIcon, done: 'Unchanged', planned: 'Unchanged' },
  ignored: { tone: 'neutral', icon: CircleMinusIcon, done: 'Ignored', planned: 'Ignored' },
}
export const FILE_STATUS_ORDER = Object.keys(FILE_VERDICTS) as FileStatus[]

export const INSTALL_VERDICTS: Record<History['status'], { tone: Tone; label: string }> = {
  IN_PROGRESS: { tone: 'progress', label: 'In progress' },
  SUCCESS: { tone: 'success', label: 'Installed' },
  PARTIAL: { tone: 'warning', label: 'Partially installed' },
  FAILED: { tone: 'destructive', label: 'Failed' },
}
