'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followInstall } from './follow-install'
import { installOptions } from './install-queries'
import type { FileLog, History } from './types'

/** The files of a running install, as they are processed. */
export function useLiveFiles({ id, status }: History): FileLog[] {
  const [files, setFiles] = useState<FileLog[]>([])
  const client = useQueryClient()
  useEffect(() => {
    if (status !== 'IN_PROGRESS') return
    const seen = new Map<string, FileLog>()
    const keep = (install: History) => client.setQueryData(installOptions(id).queryKey, install)
    return followInstall(id, {
      onFile: (file) => setFiles([...seen.set(file.path, file).values()]),
      onProgress: keep,
      onResult: keep,
      onLost: () => void client.invalidateQueries({ queryKey: installOptions(id).queryKey }),
    })
  }, [id, status, client])
  return files
}
