import { expect, test, vi } from 'vitest'
import { uploadTask } from './upload-queue'

const item = (state: 'ready' | 'waiting' | 'running' | 'done' | 'failed', sent = 0) => ({
  ...{ state, sent, file: { size: 100 } },
})

test('images on their way are one task, by bytes; what waits to be started is not in it', () => {
  const cancel = vi.fn()
  const items = [item('done'), item('failed'), item('running', 40), item('waiting'), item('ready')]
  const [task, ...others] = uploadTask(items, cancel)
  expect(others).toEqual([])
  expect(task).toMatchObject({
    ...{ title: 'Uploading 4 images', done: 240, total: 400, progress: '1 of 4 images' },
    ...{ errors: '1 image failed', needsTab: true, cancel },
  })
})

test('nothing on its way is no task', () => {
  expect(uploadTask([item('done'), item('failed'), item('ready')], () => {})).toEqual([])
})
