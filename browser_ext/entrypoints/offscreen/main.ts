import { openWorkerPage } from '../../src/pdf/worker_page'

openWorkerPage(navigator.serviceWorker)
