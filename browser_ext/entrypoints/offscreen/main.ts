import { openHall } from '../../src/pdf/hall'

openHall(navigator.serviceWorker)
