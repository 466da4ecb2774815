import { testUploadScreens } from './upload-screens';

testUploadScreens(390);
