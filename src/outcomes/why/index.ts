export { WhyQuery } from './why.dto.js';
export { WhyService } from './why.service.js';
export { WhyModule } from './why.module.js';
