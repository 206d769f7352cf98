import { toast } from 'sonner'
import { messageOf } from '@/lib/errors'
import { exportRecords, type Selection } from './export-records'
import { startExport } from './start-export'

/** Saves records as a file, in the background where they are many; shows why it failed. */
export async function runExport(
  entity: string,
  format: 'csv' | 'json' | 'xlsx',
  selection: Selection,
  inBackground: boolean,
): Promise<void> {
  try {
    if (inBackground) await startExport(entity, format, selection)
    else await exportRecords(entity, format, selection)
  } catch (error) {
    toast.error(messageOf(error))
  }
}
