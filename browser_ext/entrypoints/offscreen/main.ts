import { openHall } from '../../src/pdf/worker_page'

openHall(navigator.serviceWorker)
